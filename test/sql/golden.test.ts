import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conventionsWith, type ConventionsInput } from "../../src/metrics/conventions.js";
import { recompute, type Row, type Warehouse } from "../../src/warehouse/index.js";
import { goldenDir, loadCase } from "../warehouse/load.js";

const files = ["tiny-pairwise", "two-dimensions", "codec-preference", "approval", "acr", "mushra"];

/** The variants of the golden cases, by the name behind the kind, as conventions. */
const variants: Record<string, ConventionsInput> = {
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

type Numbers = Record<string, number>;
type Expected = Record<string, number | Numbers>;
interface Golden {
  expected: Record<string, Record<string, Expected> & { variants: Record<string, Expected> }>;
}

const exactFields = new Set(["wins", "losses", "ties", "n", "approved", "min", "max"]);
const endFields = new Set(["p005", "p025", "p05", "p50", "p95", "p975", "p995", "ci_low", "ci_high"]);
/** Names of the golden cases that are other names in the tables. */
const renamed: Record<string, string> = { percent: "value" };

/** Relative agreement as metrics.md asks: counts exact, interval ends 1e-6, other reals 1e-9. */
function compare(where: string, field: string, actual: unknown, wanted: number): void {
  if (exactFields.has(field)) { expect(actual, where).toBe(wanted); return; }
  const tolerance = (endFields.has(field) ? 1e-6 : 1e-9) * Math.max(1e-3, Math.abs(wanted));
  expect(Math.abs((actual as number) - wanted), `${where}: ${String(actual)}, wanted ${wanted}`).toBeLessThan(tolerance);
}

async function check(warehouse: Warehouse, kind: string, dimension: string, expected: Expected): Promise<void> {
  const rows = await warehouse.all(`select * from metric_${kind} where source = '' and dimension = $1`, [dimension]);
  const byItem = new Map(rows.map((row) => [row["item"] as string, row]));
  expect([...byItem.keys()]).toEqual(Object.keys(expected).sort());
  for (const [item, wanted] of Object.entries(expected)) {
    const row = byItem.get(item) as Row;
    const numbers = typeof wanted === "number" ? { value: wanted } : wanted;
    for (const [field, number] of Object.entries(numbers)) {
      compare(`${kind} ${item} ${field}`, field, row[renamed[field] ?? field], number);
    }
  }
}

describe.each(files)("%s", (file) => {
  const golden = JSON.parse(readFileSync(join(goldenDir, `${file}.json`), "utf8")) as Golden;

  test("default conventions", async () => {
    const warehouse = await loadCase(`${file}.json`);
    await recompute(warehouse, conventionsWith({}));
    for (const [dimension, metrics] of Object.entries(golden.expected)) {
      for (const [kind, expected] of Object.entries(metrics)) {
        if (kind !== "variants") await check(warehouse, kind, dimension, expected as Expected);
      }
    }
    expect(await warehouse.all("select * from audit_correctness")).toEqual([]);
    warehouse.close();
  });

  const names = new Set(Object.values(golden.expected).flatMap((d) => Object.keys(d.variants)));
  test.each([...names])("%s", async (name) => {
    const [kind, ...rest] = name.split(" ");
    const warehouse = await loadCase(`${file}.json`);
    await recompute(warehouse, conventionsWith(variants[rest.join(" ")] as ConventionsInput));
    for (const [dimension, metrics] of Object.entries(golden.expected)) {
      const expected = metrics.variants[name] as Expected;
      await check(warehouse, kind as string, dimension, (expected["scores"] as Expected | undefined) ?? expected);
      if (expected["quality"] !== undefined) await checkQuality(warehouse, dimension, expected["quality"] as Numbers);
    }
    warehouse.close();
  });
});

async function checkQuality(warehouse: Warehouse, dimension: string, expected: Numbers): Promise<void> {
  const rows = await warehouse.all(
    "select rater_id, quality from metric_rater_quality where source = '' and dimension = $1",
    [dimension],
  );
  expect(rows.map((row) => row["rater_id"]).sort()).toEqual(Object.keys(expected).sort());
  for (const row of rows) {
    const id = row["rater_id"] as string;
    compare(`quality of rater ${id}`, "quality", row["quality"], expected[id] as number);
  }
}
