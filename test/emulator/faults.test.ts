import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { faultKinds } from "../../src/emulator/faults/kinds.js";
import { type Fault, type FaultRule } from "../../src/emulator/index.js";
import { readText } from "../../src/platform/index.js";
import { ask, parsed, type Answer } from "../support/http-client.js";
import { testProject } from "../support/project.js";

const path = "experiments/Voices5/sessions/?training=true";
type Row = Record<string, unknown>;

test("docs/reference/emulator.md has a row for every kind of fault, with its fields and stage", async () => {
  const docs = await readText(
    new URL("../../docs/reference/emulator.md", import.meta.url).pathname,
  );
  const stages = ["request", "response", "rows", "wire"] as const;
  const rows = Object.entries(faultKinds).map(([kind, { fields, ...effects }]) => {
    const stage = stages.filter((one) => one in effects).join(", ");
    return `| \`${kind} {${Object.keys(fields).join(", ")}}\` | ${stage} |`;
  });
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((row) => !docs.includes(row))).toEqual([]);
});

describe("fault injection", async () => {
  const { service } = await testProject({});
  const { body } = await ask(service, path);
  const text = body.toString();
  const whole = JSON.parse(text) as Row[];
  beforeEach(() => {
    service.faults.clearJournal();
  });

  const under = async (fault: Fault, more: Partial<FaultRule> = {}): Promise<Answer> => {
    service.faults.set([{ operation: "listSessions", experiment: "Voices5", ...more, fault }]);
    const answer = await ask(service, path);
    const entry = service.faults.journal().at(-1);
    expect(entry?.operation).toBe("listSessions");
    expect(entry?.experiment).toBe("Voices5");
    expect(entry?.faults).toEqual([fault]);
    return answer;
  };

  test("without a fault: chunked, complete, and in the journal", async () => {
    service.faults.set([]);
    const answer = await ask(service, path);
    expect(answer.headers["transfer-encoding"]).toBe("chunked");
    expect(answer.broken).toBeNull();
    expect(service.faults.journal().at(-1)).toMatchObject({
      status: 200,
      is_complete: true,
      bytes: text.length,
      faults: [],
    });
  });

  test("a delayed and a dripping response are complete", async () => {
    expect((await under({ kind: "delay", ms: 30 })).body.toString()).toBe(text);
    expect((await under({ kind: "drip", bytes: 4000, every_ms: 1 })).body.toString()).toBe(text);
  });

  test.each(["content-length", "chunked", "close"] as const)(
    "cut after 100 bytes, %s",
    async (framing) => {
      const answer = await under({ kind: "cut", after: 100, framing });
      expect(answer.body.toString()).toBe(text.slice(0, 100));
      // A body that ends with its connection looks whole to every client.
      expect(answer.broken).toBe(framing === "close" ? null : "ECONNRESET");
      if (framing === "content-length")
        expect(answer.headers["content-length"]).toBe(String(text.length));
      if (framing === "close") expect(answer.headers.connection).toBe("close");
      expect(service.faults.journal().at(-1)).toMatchObject({ bytes: 100, is_complete: false });
    },
  );

  test("a truncated list that is valid JSON, or ends after a comma", async () => {
    const valid = await under({ kind: "cut_after_row", row: 2, framing: "close", end: "]" });
    expect(parsed(valid)).toEqual(whole.slice(0, 3));
    expect(valid.broken).toBeNull();
    const comma = await under({ kind: "cut_after_row", row: 2, framing: "chunked", end: "," });
    expect(comma.body.toString().endsWith("},")).toBe(true);
    expect(comma.broken).toBe("ECONNRESET");
  });

  test("a reset before the first byte and in the middle", async () => {
    expect(await under({ kind: "reset" })).toMatchObject({ status: 0, broken: "ECONNRESET" });
    expect(await under({ kind: "reset", after: 50 })).toMatchObject({ broken: "ECONNRESET" });
  });

  test("429 with Retry-After as seconds, date and nonsense; 500, 502, 503", async () => {
    expect(await under({ kind: "status", status: 429, retry_after: "2" })).toMatchObject({
      status: 429,
      headers: { "retry-after": "2" },
    });
    const dated = await under({ kind: "status", status: 429, retry_after_date_s: 3600 });
    expect(Date.parse(String(dated.headers["retry-after"]))).toBeGreaterThan(
      Date.parse(String(dated.headers.date)),
    );
    expect(
      (await under({ kind: "status", status: 429, retry_after: "99999999999" })).headers[
        "retry-after"
      ],
    ).toBe("99999999999");
    for (const status of [500, 502, 503])
      expect((await under({ kind: "status", status })).status).toBe(status);
  });

  test("HTML and any body with status 200", async () => {
    const html = await under({ kind: "html" });
    expect(html.status).toBe(200);
    expect(html.body.toString()).toContain("<h1>");
    expect((await under({ kind: "body", text: "[1e400" })).body.toString()).toBe("[1e400");
  });

  test("valid gzip, and gzip that is truncated or has an inverted byte", async () => {
    const good = await under({ kind: "gzip" });
    expect(gunzipSync(good.body).toString()).toBe(text);
    for (const fault of [{ kind: "invalid_gzip" }, { kind: "invalid_gzip", cut: 40 }] as const) {
      const answer = await under(fault);
      expect(answer.headers["content-encoding"]).toBe("gzip");
      expect(() => gunzipSync(answer.body)).toThrow();
    }
  });

  test("rows: duplicate keys, wrong types, raw values, unknown fields, older shape, doubled, short", async () => {
    expect((await under({ kind: "duplicate_keys", row: 0 })).body.toString()).toMatch(
      /^\[\{"id":null,"id":"/,
    );
    expect(
      parsed<Row[]>(await under({ kind: "wrong_type", row: 3, field: "date_created" }))[3]
        ?.date_created,
    ).toEqual({
      was: whole[3]?.date_created,
    });
    expect(
      (await under({ kind: "raw_value", row: 0, field: "meta", text: "1e400" })).body.toString(),
    ).toContain('"meta":1e400');
    expect(parsed<unknown[]>(await under({ kind: "raw_row", row: 1, text: "null" }))[1]).toBeNull();
    const unknown = parsed<Row[]>(await under({ kind: "unknown_fields", from_row: 2 }));
    expect([unknown[1], unknown[2]].map((row) => row?.x_confidence)).toEqual([undefined, 0.5]);
    const older = parsed<{ rater: { id: unknown } }[]>(
      await under({ kind: "older_shape", from_row: 2 }),
    );
    expect([older[1], older[2]].map((row) => typeof row?.rater.id)).toEqual(["string", "number"]);
    expect(parsed(await under({ kind: "double_row", row: 0 }))).toHaveLength(whole.length + 1);
    expect(parsed(await under({ kind: "short_list", rows: 2 }))).toEqual(whole.slice(0, 2));
  });

  test("data that changes between two reads", async () => {
    expect(parsed(await under({ kind: "changing" }))).toEqual(whole);
    expect(parsed(await ask(service, path))).toEqual(whole.slice(1));
  });

  test("nth, times and another operation or experiment", async () => {
    service.faults.set([
      { operation: "listSessions", nth: 2, fault: { kind: "status", status: 503 } },
      { experiment: "Cafeteria", times: 1, fault: { kind: "status", status: 500 } },
    ]);
    const statuses: number[] = [];
    for (const one of [
      path,
      path,
      path,
      "experiments/",
      "experiments/Cafeteria/",
      "experiments/Cafeteria/",
    ])
      statuses.push((await ask(service, one)).status);
    expect(statuses).toEqual([200, 503, 200, 200, 500, 200]);
  });

  test("a probability is drawn from the seed: the same rules match the same requests again", async () => {
    const statusesUnder = async (): Promise<number[]> => {
      service.faults.set([
        { operation: "listRubrics", probability: 0.5, fault: { kind: "status", status: 503 } },
      ]);
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1) statuses.push((await ask(service, "rubrics/")).status);
      return statuses;
    };
    const first = await statusesUnder();
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await statusesUnder()).toEqual(first);
  });
});
