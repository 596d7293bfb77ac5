import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TableName } from "../../src/contract/index.js";
import { folderOfTests } from "../support/folder.js";
import { readTwice } from "../support/scan-body.js";
import { openWarehouse, type Warehouse } from "../../src/warehouse/index.js";

const dir = folderOfTests("recount-typed");
let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openWarehouse({ sources: {}, threads: 1 });
});
afterAll(() => warehouse.close());

async function both(body: string | Buffer, list: TableName, table = list) {
  const { scan, exact, fast } = await readTwice({ warehouse, dir }, body, list, { table });
  expect(fast.made).toEqual(exact.made);
  return { scan, reader: fast.reader, ...exact.made };
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }).map((s) => JSON.stringify(s)),
  fc.constantFrom('"\\u00e9"', '"\\u0000"', '"\\ud800"', '"a\\/b"', '"\\n\\t\\""'),
);
const integer = fc.oneof(
  fc.integer({ min: 0, max: 5 }).map(String),
  fc.constantFrom(
    "-0",
    "-7",
    "007",
    "1.0",
    "9007199254740993",
    "99999999999999999999",
    '"3"',
    "1e2",
  ),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.constantFrom(
    "-0",
    "-0.0",
    "0.1",
    "-1",
    "5",
    "1e400",
    "1E2",
    "12345678901234567890",
    ".5",
    "1.",
    "true",
  ),
);
const json = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc.constantFrom("null", '{"a":1.0,"b":[1,{"c":"}]"}]}', '{"a" : 1 , "a":2}', "1e2", "[]"),
);
const boolean = fc.constantFrom("true", "false", "1", '"true"');
const valued = (name: string, value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 20, arbitrary: value.map((v) => `"${name}":${v}`) },
    { weight: 2, arbitrary: fc.constant(`"${name}" : null`) },
    { weight: 1, arbitrary: fc.constant(`"${name}x":1`) },
  );

const known = fc
  .tuple(
    valued("score", number),
    valued("slate_id", integer),
    valued("rater_id", fc.constantFrom("1", "2")),
    valued("stimulus", text),
    valued("is_training", boolean),
    valued("meta", json),
  )
  .chain((fields) => fc.shuffledSubarray(fields, { minLength: 3 }));
const record = (fields: readonly string[]) => `{${fields.join(",")}}`;
const rating = known.map(record);

const plainNames = ["mood", "a b", "été", "x/y~z", "it's", "_meta", "ordinal", "json", "$", "9"];
const oddNames = ['q\\"x', "Score", "MOOD", "", "\\u0061", "n".repeat(200)];
const tame = fc
  .tuple(fc.integer(), fc.nat(9))
  .map(([score, slate]) => [`"score":${score}`, `"slate_id":${slate}`, '"stimulus":"a"']);
const unknownValue = fc.oneof(
  { weight: 8, arbitrary: json },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: number },
  { weight: 1, arbitrary: integer },
);
/** Elements of one list have the same unknown fields, as in a real service; occasionally one is missing, null, repeated or oddly named. */
const drifting = fc
  .uniqueArray(fc.constantFrom(...plainNames), { minLength: 1, maxLength: 3 })
  .chain((names) =>
    list(
      fc
        .tuple(
          tame,
          ...names.map((name) =>
            fc.oneof(
              { weight: 30, arbitrary: unknownValue.map((value) => `"${name}":${value}`) },
              { weight: 2, arbitrary: fc.constant("") },
              { weight: 1, arbitrary: fc.constant(`"${name}" : null`) },
            ),
          ),
          fc.oneof(
            { weight: 15, arbitrary: fc.constant("") },
            {
              weight: 1,
              arbitrary: fc.constantFrom(...oddNames, ...names).map((name) => `"${name}":1`),
            },
          ),
        )
        .map(([fields, ...unknown]) => [...fields, ...unknown.filter((one) => one !== "")])
        .chain((fields) => fc.shuffledSubarray(fields, { minLength: fields.length }))
        .map(record),
    ),
  );
const list = (elements: fc.Arbitrary<string>) =>
  fc
    .array(elements, { maxLength: 5 })
    .chain((all) => fc.constantFrom(",", ", ", " ,\n").map((comma) => `[${all.join(comma)}]`));

it("gives the same rows in the same order for any body, and rejects none that the exact reader accepts", async () => {
  let typed = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(list(rating), list(tame.map(record))), async (body) => {
      if ((await both(body, "ratings")).reader === "typed") typed++;
    }),
    { numRuns: 60, seed: 5 },
  );
  expect(typed).toBeGreaterThan(60 / 5);
});

it("does so with fields that the contract does not know", async () => {
  let typed = 0;
  await fc.assert(
    fc.asyncProperty(drifting, async (body) => {
      const { reader, unknown_fields: unknown } = await both(body, "ratings");
      if (reader === "typed" && Object.keys(unknown).length > 0) typed++;
    }),
    { numRuns: 80, seed: 7 },
  );
  expect(typed).toBeGreaterThan(80 / 4);
});

const slate = fc
  .tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.oneof(list(rating), drifting),
    fc.constantFrom('"7"', "7", '"x"'),
    fc.constantFrom(
      "2026-01-05T08:00:00Z",
      "2026-01-05T08:00:00.123+02:00",
      "2026-01-05T08:00:00",
      "2026-13-05T08:00:00Z",
    ),
  )
  .map(
    ([id, ratings, rater, at]) =>
      `{"id":${id},"rater_id":${rater},"session_id":"s","job_id":"j","ratings":${ratings},"date_updated":"${at}","meta":{},"is_training":false,"batch":${rater}}`,
  );

it("does so for slates and the ratings inside them", async () => {
  let typed = 0;
  await fc.assert(
    fc.asyncProperty(list(slate), async (body) => {
      for (const table of ["slates", "slate_ratings"] as const)
        if ((await both(body, "slates", table)).reader === "typed") typed++;
    }),
    { numRuns: 30, seed: 6 },
  );
  expect(typed).toBeGreaterThan(2);
});

it("counts the rows inside elements in the order of the whole list", async () => {
  const of = (id: string, ratings: string) => `{"id":${id},"ratings":${ratings}}`;
  const good = '[{"score":1},{"score":2}]';
  const bad = '[{"score":3},{"score":"x"},{"score":4}]';
  const body = `[${of("3", bad)},${of("1", good)},${of("2", bad)},${of('"x"', good)},${of("0", "[]")},${of("1", good)},${of("1", "5")}]`;
  expect(await both(body, "slates")).toMatchObject({ reader: "judged" });
  const { reader, raw } = await both(body, "slates", "slate_ratings");
  expect(reader).toBe("judged");
  const quarantined = raw.trim().split("\n");
  expect(quarantined.map((line) => (JSON.parse(line) as { element: number }).element)).toEqual([
    1, 6,
  ]);
});

it("keeps a sorted list as it is and sorts any other", async () => {
  const of = (ids: readonly (number | null)[]) =>
    `[${ids.map((id, i) => `{"slate_id":${id},"stimulus_id":${9 - i}}`).join(",")}]`;
  for (const ids of [
    [1, 1, 2, 10],
    [2, 1, 10, 1],
    [1, null, 2],
  ]) {
    const { scan, reader } = await both(of(ids), "ratings");
    expect(scan?.ordered).toEqual(ids[0] === 1 && ids[1] === 1 ? ["ratings"] : []);
    expect(reader).toBe("typed");
  }
});
