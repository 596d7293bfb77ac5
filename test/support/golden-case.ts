import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type ConventionsInput } from "../../src/metrics/conventions.js";
import type { Row, Warehouse } from "../../src/warehouse/index.js";

export const goldenDir = join(import.meta.dirname, "../golden");

/** The files of golden cases, for a service to load. */
export const goldenPaths = (...names: readonly string[]): string[] =>
  names.map((name) => join(goldenDir, `${name}.json`));

/** Cases with expected numbers from an independent implementation. */
export const goldenFiles = ["tiny-pairwise", "two-dimensions", "codec-preference", "approval", "acr", "mushra"];

/** The conventions of the golden cases' variants, by the part of the name that follows the kind. */
export const variants: Record<string, ConventionsInput> = {
  "ties=half": { ties: { percent_chosen: "half" } },
  "ties=exclude": { ties: { percent_chosen: "exclude" } },
  "ties=skip": { elo: { ties: "skip" } },
  "training=include": { training: "include" },
  "incomplete=include": { incomplete: "include" },
  "k=16 initial=1000": { elo: { k: 16, start: 1000 } },
  "update=session_batch": { elo: { update: "session_batch" } },
  "stop_elo=1": { bayesian_elo: { stop_elo: 1 } },
  "a=2 b=0.05": { bayesian_elo: { shape: 2, rate: 0.05 } },
  "rater_quality (alpha=10 beta=2)": { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } },
};

export type Numbers = Record<string, number>;
export type Expected = Record<string, number | Numbers>;
export interface Golden {
  experiment: { id: string };
  expected: Record<string, Record<string, Expected> & { variants: Record<string, Expected> }>;
}

const exactFields = new Set(["wins", "losses", "ties", "n", "approved", "min", "max"]);
const endFields = new Set(["p005", "p025", "p05", "p50", "p95", "p975", "p995", "ci_low", "ci_high"]);
/** Fields whose name differs between the golden cases and the tables. */
const renamed: Record<string, string> = { percent: "value" };

/** Relative tolerances of metrics.md: counts exact, interval ends 1e-6, other reals 1e-9. */
function compare(where: string, field: string, actual: unknown, wanted: number): void {
  if (exactFields.has(field)) {
    expect(actual, where).toBe(wanted);
    return;
  }
  const tolerance = (endFields.has(field) ? 1e-6 : 1e-9) * Math.max(1e-3, Math.abs(wanted));
  expect(Math.abs((actual as number) - wanted), `${where}: ${String(actual)}, wanted ${wanted}`).toBeLessThan(
    tolerance,
  );
}

export async function checkMetric(
  warehouse: Warehouse,
  experiment: string,
  kind: string,
  dimension: string,
  expected: Expected,
): Promise<void> {
  const rows = await warehouse.all(
    `select * from metric_${kind} where experiment_id = $2 and source = '' and dimension = $1`,
    [dimension, experiment],
  );
  const byItem = new Map(rows.map((row) => [row.item as string, row]));
  expect([...byItem.keys()]).toEqual(Object.keys(expected).sort());
  for (const [item, wanted] of Object.entries(expected)) {
    const row = byItem.get(item) as Row;
    const numbers = typeof wanted === "number" ? { value: wanted } : wanted;
    for (const [field, number] of Object.entries(numbers)) {
      compare(`${kind} ${item} ${field}`, field, row[renamed[field] ?? field], number);
    }
  }
}

export async function checkQuality(
  warehouse: Warehouse,
  experiment: string,
  dimension: string,
  expected: Numbers,
): Promise<void> {
  const rows = await warehouse.all(
    "select rater_id, quality from metric_rater_quality where experiment_id = $2 and source = '' and dimension = $1",
    [dimension, experiment],
  );
  expect(rows.map((row) => row.rater_id).sort()).toEqual(Object.keys(expected).sort());
  for (const row of rows) {
    const id = row.rater_id as string;
    compare(`quality of rater ${id}`, "quality", row.quality, expected[id] as number);
  }
}

export function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(join(goldenDir, `${name}.json`), "utf8")) as Golden;
}

/** Checks every number of one case under the default conventions. */
export async function checkDefaults(warehouse: Warehouse, golden: Golden): Promise<void> {
  for (const [dimension, metrics] of Object.entries(golden.expected)) {
    for (const [kind, expected] of Object.entries(metrics)) {
      if (kind !== "variants")
        await checkMetric(warehouse, golden.experiment.id, kind, dimension, expected as Expected);
    }
  }
}

/** Names of the variants that a case has numbers for, such as `elo ties=skip`. */
export function variantsOf(golden: Golden): string[] {
  return [...new Set(Object.values(golden.expected).flatMap((metrics) => Object.keys(metrics.variants)))];
}

/** The conventions of a variant, by its name. */
export function conventionsOf(name: string): ConventionsInput {
  const found = variants[name.slice(name.indexOf(" ") + 1)];
  if (!found) throw new Error(`no conventions for the variant ${name}`);
  return found;
}

/** The tables that hold a variant's numbers. */
export const tablesOf = (name: string): string[] => [
  `metric_${name.split(" ")[0] ?? ""}`,
  ...(name.includes("rater_quality") ? ["metric_rater_quality"] : []),
];

/** Checks every number of one case in one variant; the models must have run under its conventions. */
export async function checkVariant(warehouse: Warehouse, golden: Golden, name: string): Promise<void> {
  const { id } = golden.experiment;
  for (const [dimension, metrics] of Object.entries(golden.expected)) {
    const expected = metrics.variants[name];
    if (!expected) throw new Error(`${id} has no numbers for ${name}`);
    await checkMetric(
      warehouse,
      id,
      name.split(" ")[0] ?? "",
      dimension,
      (expected.scores as Expected | undefined) ?? expected,
    );
    if (expected.quality !== undefined) await checkQuality(warehouse, id, dimension, expected.quality as Numbers);
  }
}
