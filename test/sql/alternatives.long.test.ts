import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import type { Row } from "../../src/warehouse/index.js";
import { goldenDir, loadCase, recomputeBehind } from "../support/load-case.js";

interface Rating {
  score: number;
  rater_id: number;
  session_id: string;
  slate_id: number;
  job_id: string;
  stimulus: string;
  dimension: string;
  is_training: boolean;
  is_correct: boolean | null;
}
interface Body {
  sessions: { id: string; date_completed: string | null }[];
  ratings: Rating[];
}

const bodyOf = (file: string): Body => JSON.parse(readFileSync(join(goldenDir, file), "utf8")) as Body;

/** The default population, in plain loops. */
function populationOf({ sessions, ratings }: Body): Rating[] {
  const completed = new Set(sessions.filter((s) => s.date_completed !== null).map((s) => s.id));
  return ratings.filter((r) => !r.is_training && completed.has(r.session_id));
}

function grouped<T, K>(values: readonly T[], key: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
const sd = (values: readonly number[], less: number): number =>
  Math.sqrt(values.reduce((sum, v) => sum + (v - mean(values)) ** 2, 0) / (values.length - less));
const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((x, y) => x - y);
  return mean([sorted[Math.floor((sorted.length - 1) / 2)]!, sorted[Math.ceil((sorted.length - 1) / 2)]!]);
};

async function rowsUnder(file: string, input: ConventionsInput, sql: string): Promise<Row[]> {
  const warehouse = await loadCase(file);
  await recomputeBehind(warehouse, sql.match(/\w+/g) ?? [], input);
  const rows = await warehouse.all(sql);
  warehouse.close();
  return rows;
}

async function valuesUnder(
  file: string,
  input: ConventionsInput,
  kind: string,
  field = "value",
): Promise<Map<string, number>> {
  const rows = await rowsUnder(file, input, `select item, ${field} as value from metric_${kind} where source = ''`);
  return new Map(rows.map((row) => [row.item as string, row.value as number]));
}

/** 1e-9 relative: sums of a few hundred scores in another order. */
function expectClose(actual: Map<string, number>, wanted: Map<string, number>): void {
  expect([...actual.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [item, value] of wanted) {
    expect(Math.abs(actual.get(item)! - value)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
  }
}

const perItem = (ratings: Rating[], number: (own: Rating[]) => number): Map<string, number> =>
  new Map([...grouped(ratings, (r) => r.stimulus)].map(([item, own]) => [item, number(own)]));
const scores = (own: Rating[]): number[] => own.map((r) => r.score);

test.each(["acr.json", "mushra.json"])("means of %s: median, by rater, z-scored by rater", async (file) => {
  const population = populationOf(bodyOf(file));
  expectClose(
    await valuesUnder(file, { mean: "median" }, "mean"),
    perItem(population, (own) => median(scores(own))),
  );
  expectClose(
    await valuesUnder(file, { mean: "rater_mean" }, "mean"),
    perItem(population, (own) => mean([...grouped(own, (r) => r.rater_id).values()].map((of) => mean(scores(of))))),
  );
  const z = [...grouped(population, (r) => r.rater_id).values()].flatMap((of) =>
    of.map((r) => ({ ...r, score: (r.score - mean(scores(of))) / sd(scores(of), 1) })),
  );
  expectClose(
    await valuesUnder(file, { mean: "rater_z" }, "mean"),
    perItem(z, (own) => mean(scores(own))),
  );
});

test("a spread that divides by n, and a normal interval", async () => {
  const population = populationOf(bodyOf("acr.json"));
  const input: ConventionsInput = { stats: { sd: "n", interval: "normal" } };
  expectClose(
    await valuesUnder("acr.json", input, "stats", "std"),
    perItem(population, (own) => sd(scores(own), 0)),
  );
  expectClose(
    await valuesUnder("acr.json", input, "stats", "ci_high"),
    perItem(population, (own) => mean(scores(own)) + (1.959963984540054 * sd(scores(own), 0)) / Math.sqrt(own.length)),
  );
});

test("a bootstrap interval is close to the t interval and the same for the same seed", async () => {
  const sql = "select item, mean, ci_low, ci_high from metric_stats where source = '' order by item";
  const t = await rowsUnder("mushra.json", {}, sql);
  const bootstrap = await rowsUnder("mushra.json", { stats: { interval: "bootstrap" } }, sql);
  expect(await rowsUnder("mushra.json", { stats: { interval: "bootstrap" } }, sql)).toEqual(bootstrap);
  bootstrap.forEach((row, i) => {
    const width = (of: Row | undefined): number => (of?.ci_high as number) - (of?.ci_low as number);
    // 1000 draws place an end to a few per cent of the width.
    expect(width(row) / width(t[i])).toBeGreaterThan(0.85);
    expect(width(row) / width(t[i])).toBeLessThan(1.15);
    expect(row.ci_low).toBeLessThan(row.mean as number);
  });
});

test("approval by the midpoint of the scale, and as a fraction", async () => {
  const population = populationOf(bodyOf("acr.json"));
  expectClose(
    await valuesUnder("acr.json", { approved: "midpoint", percent_scale: 1 }, "percent_approved"),
    perItem(population, (own) => own.filter((r) => r.score >= 3).length / own.length),
  );
});

test.each<[ConventionsInput["incorrect"], keyof Rating]>([
  ["exclude_slates", "slate_id"],
  ["exclude_sessions", "session_id"],
  ["exclude_raters", "rater_id"],
])("%s excludes the slate, session or rater of an incorrect rating", async (incorrect, key) => {
  const body = bodyOf("codec-preference.json");
  const wrong = new Set(body.ratings.filter((r) => r.is_correct === false).map((r) => r[key]));
  expect(wrong.size).toBeGreaterThan(0);
  const input: ConventionsInput = { incorrect: incorrect as "exclude_slates", training: "include" };
  const kept = populationOf({ ...body, ratings: body.ratings.map((r) => ({ ...r, is_training: false })) });
  const n = await valuesUnder("codec-preference.json", input, "mean", "n");
  expectClose(
    n,
    perItem(
      kept.filter((r) => !wrong.has(r[key])),
      (own) => own.length,
    ),
  );
});

test("exclude_ratings excludes only the incorrect rating", async () => {
  const input: ConventionsInput = { incorrect: "exclude_ratings", training: "include", incomplete: "include" };
  const n = await valuesUnder("codec-preference.json", input, "mean", "n");
  const kept = bodyOf("codec-preference.json").ratings.filter((r) => r.is_correct !== false);
  expectClose(
    n,
    perItem(kept, (own) => own.length),
  );
});

test("the item pattern captures the item; a stimulus without a match keeps its name", async () => {
  const wins = await rowsUnder(
    "two-dimensions.json",
    { item_pattern: "^model/(.*)$" },
    "select distinct item from metric_win_loss order by item",
  );
  expect(wins.map((row) => row.item)).toEqual(["base", "ref", "v1", "v2", "v3"]);
});

test("a job's numbers come from its ratings only", async () => {
  const population = populationOf(bodyOf("codec-preference.json"));
  const rows = await rowsUnder(
    "codec-preference.json",
    {},
    "select source, item, value from metric_mean where source <> ''",
  );
  const jobs = grouped(population, (r) => r.job_id);
  expect(new Set(rows.map((row) => row.source))).toEqual(new Set(jobs.keys()));
  for (const [job, own] of jobs) {
    const ofJob = rows.filter((row) => row.source === job);
    expectClose(
      new Map(ofJob.map((row) => [row.item as string, row.value as number])),
      perItem(own, (of) => mean(scores(of))),
    );
  }
});
