import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Columns, ColumnVector } from "../../src/metrics/kernel.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { kernels } from "../../src/metrics/kernels.js";
import { kinds, metricKind } from "../../src/metrics/kinds.js";
import { seededRandom } from "../../src/platform/random.js";
import { readKept, writeKept } from "../../src/warehouse/kept-results.js";
import { modelsBehind } from "../../src/warehouse/plan.js";
import { modelPlan } from "../../src/warehouse/recompute.js";
import { folderOfTests } from "../support/folder.js";
import { everyNth } from "../support/whole.js";

const folder = folderOfTests("recount-kept");

const conventions = conventionsWith({ bradley_terry: { rater_samples: 20 }, elo: { permutations: 5 } });
const others = conventionsWith({ bradley_terry: { rater_samples: 30 }, elo: { permutations: 7 } });

/** What ids grow by when another experiment comes before, by column. */
const shifts: Readonly<Record<string, number>> = {
  ...{ dimension_id: 2, group_id: 4, a: 7, b: 7, item: 7, unit: 11, rater: 5, session: 9, vote: 60 },
};
const unknown = ["rater", "session"];

/** Sixty answers of six raters to five items, a row each, sorted by the columns `by`; numbers shifted `times` over. */
function answers(times: number, by: readonly string[]): Columns {
  const random = seededRandom(3);
  const rows = Array.from({ length: 60 }, (_, i) => {
    const a = 1 + (i % 5);
    const b = 1 + ((i + 1 + Math.floor(random() * 4)) % 5);
    const won = Math.floor(random() * 3) - 1;
    const row = {
      ...{ dimension_id: 1, group_id: 2, job_no: 0, vote: i + 1, a: Math.min(a, b), b: Math.max(a, b), item: a },
      ...{ unit: a, rater: i % 6, session: Math.floor(i / 6), outcome: won, score: 1 + Math.floor(random() * 5) },
      ...{ value: 1 + Math.floor(random() * 5), n: 1, sum: 3 + won },
      ...{ wins_a: Number(won > 0), wins_b: Number(won < 0), ties: Number(won === 0) },
    };
    for (const [name, shift] of Object.entries(shifts)) {
      const own = name as keyof typeof row;
      if (row[own] > 0 || !unknown.includes(name)) row[own] += times * shift;
    }
    return row;
  }).filter(({ a, b }) => a !== b);
  const order = (row: (typeof rows)[number]) => by.map((name) => row[name as keyof typeof row]);
  rows.sort((x, y) => order(x).reduce((sign, own, i) => sign || own - order(y)[i]!, 0));
  const ids = ["a", "b", "dimension_id", "group_id", "item", "job_no", "rater", "session", "unit", "vote"];
  const columns = Object.keys(rows[0] ?? {}).map((name): [string, ColumnVector] => {
    const values = rows.map((row) => row[name as keyof typeof row]);
    if (name === "outcome") return [name, Int8Array.from(values)];
    return [name, ids.includes(name) ? Int32Array.from(values) : Float64Array.from(values)];
  });
  return Object.fromEntries(columns);
}

const sources = (times: number): Columns => ({
  dimension_id: Int32Array.of(1 + 2 * times),
  job_no: Int32Array.of(0),
  group_id: Int32Array.of(2 + 4 * times),
  is_whole: Int8Array.of(1),
});

const keeping: readonly [string, readonly string[]][] = [
  ["elo", ["session"]],
  ["bradley_terry", ["rater", "a", "b"]],
  ["worth_differences", ["rater", "a", "b"]],
  ["agreement", ["unit", "rater"]],
  ["pair_fit", ["a", "b"]],
  ["rater_model", ["rater", "item", "score"]],
  ["pair_robustness", ["vote"]],
  ["score_robustness", ["item"]],
  ["mean_differences", ["rater", "item"]],
];
test.each(everyNth(keeping, 3, 1))(
  "%s gives the same when it takes over what was computed under other numbers",
  async (name, by) => {
    const run = (times: number, kept?: Awaited<ReturnType<typeof readKept>>, own = conventions) =>
      kernels[name]!.run(answers(times, by), own, { unread: [], sources: sources(times), kept });
    const first = await readKept({ folder }, name);
    expect(run(0, first)).toEqual(run(0));
    expect(first.used.size).toBeGreaterThan(0);
    await writeKept({ folder }, name, first);

    const again = await readKept({ folder }, name);
    expect(run(3, again)).toEqual(run(3));
    expect([...again.used.keys()].toSorted()).toEqual([...again.before.keys()].toSorted());
    expect(run(3)).not.toEqual(run(0));
    expect(run(0, await readKept({ folder }, name), others)).toEqual(run(0, undefined, others));
  },
);

test.each([
  ["elo", ["session"], "order"],
  ["bradley_terry", ["rater", "a", "b"], "intervals"],
])("the published kinds need no draws: %s computes and keeps none", async (name, by, table) => {
  const published = modelsBehind(
    await modelPlan(),
    kinds.map((kind) => metricKind(kind).model),
  );
  const unread = published.find(({ kernel }) => kernel === name)?.unread ?? [];
  const kept = await readKept({ folder }, "nothing");
  const tables = kernels[name]!.run(answers(0, by), conventions, { unread, sources: sources(0), kept });
  expect(tables[""]?.item_id?.length).toBeGreaterThan(0);
  expect(tables[table]?.item_id).toHaveLength(0);
  expect(kept.used.size).toBe(0);
});

test("what is damaged, cut or of another kernel is computed again, and nothing temporary stays", async () => {
  const made = { before: new Map(), used: new Map([["key", Buffer.from("result")]]) };
  const file = join(folder, "one");
  await writeKept({ folder }, "one", made);
  const whole = readFileSync(file);
  const read = async () => (await readKept({ folder }, "one")).before.size;
  expect(await read()).toBe(1);
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1;
    writeFileSync(file, changed);
    expect(await read()).toBe(0);
    writeFileSync(file, whole.subarray(0, at));
    expect(await read()).toBe(0);
  }
  writeFileSync(file, whole);
  writeFileSync(join(folder, "other"), whole);
  expect((await readKept({ folder }, "other")).before.size).toBe(0);
  expect((await readKept({ folder, isFull: true }, "one")).before.size).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test("only what the last run used is kept; a run that reads only, and one that cannot write, keep nothing", async () => {
  const result = (key: string): [string, Buffer] => [key, Buffer.from(key)];
  const keysAfter = async (before: string[], used: string[], isReadOnly = false) => {
    await writeKept({ folder, isReadOnly }, "keys", {
      before: new Map(before.map(result)),
      used: new Map(used.map(result)),
    });
    return [...(await readKept({ folder }, "keys")).before.keys()];
  };
  expect(await keysAfter([], ["a", "b"])).toEqual(["a", "b"]);
  expect(await keysAfter(["a", "b"], ["a"])).toEqual(["a", "b"]);
  expect(await keysAfter(["a", "b"], ["b", "c"])).toEqual(["b", "c"]);
  expect(await keysAfter(["b", "c"], ["d"], true)).toEqual(["b", "c"]);
  const none = { folder: join(folder, "keys") };
  await writeKept(none, "keys", { before: new Map(), used: new Map([result("e")]) });
  expect((await readKept(none, "keys")).before.size).toBe(0);
});
