import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TableName } from "../../src/contract/index.js";
import { convertToPart, type BodySource } from "../../src/extract/part.js";
import { countElements } from "../../src/extract/elements.js";
import { createElementCounter } from "../../src/lake/verify-files.js";
import { folderOfTests } from "../support/folder.js";
import { everyNth, isWhole } from "../support/whole.js";
import { readTwice, scanOf } from "../support/scan-body.js";
import { queryError } from "../../src/warehouse/duckdb/statements.js";
import { openWarehouse, type Row, type Warehouse } from "../../src/warehouse/index.js";

const dir = folderOfTests("recount-convert");
let warehouse: Warehouse;
let count = 0;

beforeAll(async () => {
  warehouse = await openWarehouse({ sources: {}, threads: 1, memory: "300MB" });
});
afterAll(() => warehouse.close());

const rating = (fields: string) =>
  `{"score":1,"rater_id":1,"slate_id":1,"session_id":"s","job_id":"j","stimulus_id":1,"stimulus":"A","dimension":"","is_training":false,"meta":{},"is_correct":null${fields}}`;

interface Quarantined {
  element: number;
  reason: string;
  raw: string | null;
}

interface Outcome {
  rows: Row[];
  quarantine: Quarantined[];
  unknown: Record<string, number>;
  elements: number;
}

async function run(body: string | Buffer, table: TableName = "ratings"): Promise<Outcome> {
  const list = table === "slate_ratings" ? "slates" : table;
  const sizes = body.length > 1e6 ? 1 << 20 : 7;
  const { file, exact, fast } = await readTwice({ warehouse, dir }, body, list, { table, sizes });
  const { found, raw, unknown_fields: unknown, ...counts } = exact.made;
  const quarantine = raw
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Quarantined]));
  expect([exact.reader, counts]).toMatchObject([
    "judged",
    { rows: found.length, quarantined: quarantine.length },
  ]);
  expect(fast.made).toEqual(exact.made);
  return { rows: found, quarantine, unknown, elements: await countElements(file) };
}

const override = (field: string, value: string) =>
  rating("").replace(new RegExp(`"${field}":[^,}]*\\}?`), () => `"${field}":${value}`);

describe("a body becomes a table", () => {
  it("with the contract's types, exact beyond 2^53", async () => {
    const { rows, quarantine } = await run(
      `[${override("stimulus_id", "9007199254740993")}, ${override("score", "-0.1")}]`,
    );
    expect(quarantine).toEqual([]);
    expect(rows[0]).toMatchObject({
      stimulus_id: 9007199254740993n,
      is_training: false,
      is_correct: null,
      dimension: "",
    });
    expect(rows[1]).toMatchObject({ score: -0.1 });
  });

  const wrong: readonly (readonly [field: string, value: string, reason: string])[] = [
    ["score", "1e400", "score is not a finite number"],
    ["score", '"1"', "score is not a finite number"],
    ["score", "true", "score is not a finite number"],
    ["stimulus_id", "1.5", "stimulus_id is not an integer of 64 bits"],
    ["stimulus_id", '"42"', "stimulus_id is not an integer of 64 bits"],
    ["stimulus_id", "9223372036854775808", "stimulus_id is not an integer of 64 bits"],
    ["rater_id", "1.5", "rater_id is not text"],
    ["stimulus", "42", "stimulus is not text"],
    ["stimulus", '{"a":1}', "stimulus is not text"],
    ["is_training", "1", "is_training is not true or false"],
    ["is_training", '"true"', "is_training is not true or false"],
    ["stimulus", '"\\ud800"', "not valid JSON"],
    ...["NaN", "-Infinity", "nan", '{"a":[false,nan]}', '[Infinity,"x"]', "-inf"].map(
      (meta) => ["meta", meta, "not valid JSON"] as const,
    ),
  ];
  it.each(everyNth(wrong, 3))(
    "and quarantines %s = %s, keeping its text",
    async (field, value, reason) => {
      const odd = override(field, value);
      const { rows, quarantine, elements } = await run(`[${rating("")},\n${odd},${rating("")}]`);
      expect([rows.length, elements]).toEqual([2, 3]);
      expect(quarantine).toEqual([{ element: 1, reason, raw: odd }]);
    },
  );

  it("and quarantines an element that is not UTF-8, and no other", async () => {
    const body = Buffer.from(
      `[${rating("")},\n${override("stimulus", '"#"')},${override("stimulus", '"é"')}]`,
    );
    body[body.indexOf("#")] = 0xff;
    const { rows, quarantine } = await run(body);
    expect(rows.map(({ stimulus }) => stimulus)).toEqual(["A", "é"]);
    expect(quarantine).toEqual([
      { element: 1, reason: "not UTF-8", raw: override("stimulus", '"\ufffd"') },
    ]);
  });

  it.each([
    ["newlines", "a\nb\r\nc\\\n"],
    ["every control character", String.fromCharCode(...Array(32).keys())],
    ["NUL", "\0"],
  ])(
    "and quarantines an element with raw %s inside text, and no other, keeping its text",
    async (_, raw) => {
      const odd = override("stimulus", `"${raw}"`);
      const { rows, quarantine, elements } = await run(
        `[${rating("")},\n${odd}\n,\r\n${rating("")}\n]\n`,
      );
      expect([rows.length, elements]).toEqual([2, 3]);
      expect(quarantine).toEqual([{ element: 1, reason: "not valid JSON", raw: odd }]);
    },
  );

  it.runIf(isWhole).each([(1 << 24) + 1, 34 << 20])(
    "and quarantines an element of %i bytes, and no other",
    async (bytes) => {
      const frame = override("stimulus", '""').length;
      const large = override("stimulus", `"${"x".repeat(bytes - frame)}"`);
      const { rows, quarantine, elements } = await run(`[${rating("")},${large},${rating("")}]`);
      expect([rows.length, elements]).toEqual([2, 3]);
      expect(quarantine).toEqual([
        { element: 1, reason: "larger than 16 MiB", raw: `${large.slice(0, 1000)} …` },
      ]);
    },
  );

  it.runIf(isWhole)(
    "and takes JSON of any depth, beside an element that is not JSON too",
    async () => {
      const deep = override("meta", "[".repeat(200_000) + "]".repeat(200_000));
      expect((await run(`[${deep}]`)).rows.map(({ meta }) => (meta as string).length)).toEqual([
        400_000,
      ]);
      expect((await run(`["\0",${deep}]`)).rows.length).toBe(1);
    },
  );

  it("and takes a score as the nearest double, the numbers inside JSON too, but keeps integers inside JSON", async () => {
    const { rows } = await run(
      `[${override("score", "9007199254740993")},${override("meta", '{"a":9007199254740993,"b":0.10000000000000000000001}')}]`,
    );
    expect(rows[0]?.score).toBe(9007199254740992);
    expect(rows[1]?.meta).toBe('{"a":9007199254740993,"b":0.1}');
  });

  it.each([
    ["in an object", override("meta", '{"a":1,"b":[{"c":1,"d":2,"c":3}]}')],
    ["in a list of an unknown field", rating(',"extra":[{"c":1},{"d":[],"d":2}]')],
    ["in another spelling", override("meta", '{"\\u0061":1,"a":2}')],
  ])(
    "and quarantines an element in which a field occurs twice at any depth: %s",
    async (_, element) => {
      const { rows, quarantine } = await run(`[${element}, ${rating("")}]`);
      expect([rows.length, quarantine.map(({ reason }) => reason)]).toEqual([
        1,
        ["a field occurs twice"],
      ]);
    },
  );

  it("and takes equal names in different objects, in texts and in lists", async () => {
    const { rows, quarantine } = await run(
      `[${override("meta", '{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\\"a\\":1,\\"a\\":2","d":["a","a"],"Aa":1,"BB":2}')}]`,
    );
    expect([rows.length, quarantine]).toEqual([1, []]);
  });

  it("and keeps unknown fields and fields in another case, in _meta", async () => {
    const { rows, unknown } = await run(
      `[${rating(',"Score":7,"a/b~c \\"d\\"":{"x":[1,"é"]}')}, ${rating("")}]`,
    );
    expect(JSON.parse(rows[0]?._meta as string)).toEqual({
      Score: 7,
      'a/b~c "d"': { x: [1, "é"] },
    });
    expect(rows[1]?._meta).toBeNull();
    expect(unknown).toEqual({ Score: 1, 'a/b~c "d"': 1 });
    const plain = await run(`[${rating(',"mood":"calm"')}, ${rating("")}]`);
    expect(plain.rows.map(({ _meta }) => _meta)).toEqual(['{"mood":"calm"}', null]);
  });

  const slateAt = (at: string) =>
    `{"id":1,"rater_id":"1","session_id":"s","job_id":"j","ratings":[],"date_updated":"${at}","meta":{},"is_training":false}`;

  it("and refuses an instant without a zone", async () => {
    const zoneless = [
      "2026-03-05T04:38:00",
      "2026-03-05",
      "2026-03-05T04:38",
      "2026-03-05T04:38:00+24:00",
    ];
    zoneless.push("2026-03-05T04:38:00-99:99", "2026-03-05T04:38:00+05:60", "2026-03-05t04:38:00");
    const { rows, quarantine } = await run(
      `[${["2026-03-05T04:38:00+05:30", ...zoneless].map(slateAt).join(",")}]`,
      "slates",
    );
    expect(rows[0]).toMatchObject({ date_updated: "2026-03-04T23:08:00.000Z" });
    expect(quarantine.map(({ reason }) => reason)).toEqual(
      zoneless.map(() => "date_updated is not an instant with a zone"),
    );
  });

  it("and takes an instant in lower case, without seconds and in every zone there is", async () => {
    const forms = [
      "2026-03-05t04:38:00z",
      "2026-03-05T04:38Z",
      "2026-03-05t04:38+00:00",
      "2026-03-05 04:38:00.000-00",
    ];
    const { rows, quarantine } = await run(
      `[${[...forms, "2026-03-06T04:37:00+23:59"].map(slateAt).join(",")}]`,
      "slates",
    );
    expect(quarantine).toEqual([]);
    expect(new Set(rows.map(({ date_updated }) => date_updated))).toEqual(
      new Set(["2026-03-05T04:38:00.000Z"]),
    );
  });

  it("from both versions of a record in one list", async () => {
    const { rows, quarantine } = await run(
      '[{"id":"7","user":{},"meta":null},{"id":8,"user":{"a":1},"meta":"m"}]',
      "raters",
    );
    expect(quarantine).toEqual([]);
    expect(rows.map(({ id, meta }) => [id, meta])).toEqual([
      ["7", null],
      ["8", '"m"'],
    ]);
  });

  it("without its secrets, not even in quarantine", async () => {
    const hook = (extra: string) =>
      `{"id":"w","url":"http://x","events":[],"is_active":true,"date_created":"2026-01-01T00:00:00Z","date_updated":"2026-01-01T00:00:00Z","secret":"topsecret"${extra}}`;
    const { rows, quarantine, unknown } = await run(
      `[${hook("")},${hook(',"id":"v"')}]`,
      "webhooks",
    );
    expect(JSON.stringify([rows, quarantine, unknown])).not.toContain("topsecret");
    expect([rows.length, quarantine.length]).toEqual([1, 1]);
  });
});

describe("the count of elements over the bytes", () => {
  const of = async (text: string) => {
    const file = join(dir, `count-${count++}.json`);
    writeFileSync(file, text);
    const [inFile, inMemory] = await Promise.allSettled([
      countElements(file),
      countElements(Buffer.from(text)),
    ]);
    expect(inMemory).toEqual(inFile);
    const again = createElementCounter();
    again.add(Buffer.from(text));
    if (inFile.status === "fulfilled") expect(again.elements()).toBe(inFile.value);
    return countElements(file);
  };

  it.each([
    ["[]", 0],
    [" [ 1 ] \n", 1],
    ["[1,2,3]", 3],
    ['["a,b]",{"k":[1,2,"}"]},"\\""]', 3],
    ["{}", 1],
    ["[[],[[]],{}]", 3],
    ["[1 2, {} x]", 2],
    ["[\0]", 1],
    ["[\x0b]", 1],
    ["[\u00a0]", 1],
    ["[ \t\r\n]", 0],
  ])("of %j is %i", async (text, expected) => {
    expect(await of(text)).toBe(expected);
  });
});

it("a failure of the engine's fast reader leads to the exact one; an internal error is passed on", async () => {
  const [body, file] = [`[${rating("")}]`, join(dir, "failing.json")];
  writeFileSync(file, body);
  const bodies: BodySource = { file, form: "list", scan: scanOf(body, "ratings", 7) };
  const target = {
    table: "ratings",
    file: `${file}.parquet`,
    quarantine: `${file}.quarantine`,
  } as const;
  const failingOnce = (error: Error): Warehouse => {
    let calls = 0;
    return {
      ...warehouse,
      change: (sql) => (calls++ === 0 ? Promise.reject(error) : warehouse.change(sql)),
    };
  };
  const refused = failingOnce(
    queryError("select 1", new Error("Invalid Input Error: malformed JSON")),
  );
  expect(await convertToPart(refused, bodies, target)).toMatchObject({ rows: 1, reader: "judged" });
  await expect(
    convertToPart(failingOnce(new TypeError("a mistake")), bodies, target),
  ).rejects.toThrow("a mistake");
});

describe("a single record", () => {
  const record =
    '{"id": "e1", "name": "One", "date_created": "2026-03-01T12:00:00+02:00", "question": null, "mood": [1]}';
  it.each([
    [record, "typed"],
    [`\n${record.replaceAll(", ", ",\n  ")}\n`, "typed"],
    [record.replace('"e1"', "[1]"), "judged"],
    [record.replace("}", ', "name": "Two"}'), "judged"],
  ])("%s is read by the %s reader, as the exact one reads it", async (body, reader) => {
    const { exact, fast } = await readTwice({ warehouse, dir }, body, "experiment_details", {
      sizes: 7,
      form: "record",
    });
    expect([exact.reader, fast.reader]).toEqual(["judged", reader]);
    expect(fast.made).toEqual(exact.made);
  });
});
