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

  test("a delayed and a dripping response are complete, and changing data change after a read", async () => {
    for (const fault of [
      { kind: "delay", ms: 30 },
      { kind: "drip", bytes: 4000, every_ms: 1 },
      { kind: "changing" },
    ] as const)
      expect((await under(fault)).body.toString()).toBe(text);
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
