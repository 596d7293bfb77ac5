import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { ownScenario } from "../../src/audit/recompute/scenario.js";
import { loadRatings } from "../../src/audit/recompute/ratings.js";
import {
  fieldsOf,
  isKind,
  metricKind,
  type Kind,
  conventionsWith,
  type ConventionsInput,
} from "../../src/metrics/index.js";
import { textOf } from "../../src/warehouse/engine.js";
import { readRecomputed } from "../../src/audit/recompute/own-numbers.js";
import { tableNumber, resultKey } from "../../src/audit/result.js";
import { golden } from "../support/audit/published-case.js";
import { goldenFiles } from "../support/golden-case.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";

const inputs: ConventionsInput[] = [
  {},
  { training: "include", incomplete: "include", mean: "median" },
  {
    incorrect: "exclude_ratings",
    mean: "rater_mean",
    ties: { percent_chosen: "half" },
    percent_scale: 1,
  },
  {
    incorrect: "exclude_slates",
    mean: "rater_z",
    ties: { percent_chosen: "exclude" },
    approved: "midpoint",
  },
  {
    incorrect: "exclude_sessions",
    stats: { sd: "n", interval: "normal" },
    elo: { update: "session_batch", ties: "skip" },
  },
  {
    incorrect: "exclude_raters",
    elo: { k: 20, tie_value: 1, start: 1500 },
    bayesian_elo: { stop_elo: 1, start: "warm" },
  },
  {
    bayesian_elo: { rater_quality: { alpha: 10, beta: 2 }, interval_labels: "shifted" },
    incomplete: "include",
  },
  {
    mean: "rater_z_n",
    stats: { quartiles: "exclusive", level: 90 },
    bayesian_elo: { ties: "exclude" },
    screen: "bt500",
  },
  {
    pairs: "all",
    incomplete: "include",
    screen: "p808",
    bayesian_elo: { start: "warm", stop_elo: 1 },
  },
  {
    bayesian_elo: { ties: "davidson", interval_labels: "shifted" },
    training: "include",
    screen: "training",
  },
  { mean: "rater_minmax", stats: { quartiles: "hinges", level: 99 }, chosen: "losses" },
  {
    denominator: "n-1",
    stats: { quartiles: "halves", interval: "normal", level: 90 },
    bayesian_elo: { ties: "exclude", stop_elo: 1, start: "warm" },
  },
  {
    stats: { quartiles: "type_5" },
    chosen: "losses",
    ties: { percent_chosen: "exclude" },
    denominator: "n-1",
  },
  { stats: { quartiles: "type_8" }, mean: "median", denominator: "n-1", training: "include" },
];

describe.each(goldenFiles)("%s", (file) => {
  test("the evaluator agrees with sql/ under every convention that both support", async () => {
    const warehouse = await loadCase(`${file}.json`, { threads: 1 });
    for (const input of inputs) {
      const conventions = conventionsWith(input);
      await recomputeBehind(warehouse, ["audit_recomputed", "audit_ratings"], input);
      const evaluator = createEvaluator(await loadRatings(warehouse, golden(file).experiment.id));
      let compared = 0;
      for (const [id, values] of await readRecomputed(warehouse)) {
        const [, kind, dimension, source] = JSON.parse(id) as [string, string, string, string];
        if (!isKind(kind)) continue;
        const table = evaluator.table(kind, ownScenario(conventions, dimension, source));
        expect(table.items.filter((item) => values.items.includes(item))).toEqual(
          values.items.toSorted(),
        );
        for (const item of values.items) {
          const at = table.items.indexOf(item);
          for (const [field, column] of Object.entries(table.columns)) {
            const value = tableNumber(values, item, field);
            if (Number.isNaN(value)) continue;
            const own = column[at] as number;
            // 1e-10: the same sums in another order; interval ends use the same quantiles.
            expect(
              Math.abs(own - value),
              `${id} ${item} ${field}: ${own}, SQL ${value}`,
            ).toBeLessThan(1e-10 * Math.max(1, Math.abs(value)));
            compared++;
          }
        }
      }
      if (compared === 0) expect(input.incorrect).not.toBe("include");
      else expect(compared).toBeGreaterThan(6);
    }
    warehouse.close();
  });

  test("the audit compares the numbers that audit_recomputed holds", async () => {
    const warehouse = await loadCase(`${file}.json`, { threads: 1 });
    await recomputeBehind(warehouse, ["audit_recomputed"], {});
    const held = (await warehouse.all("select * from audit_recomputed")).flatMap((row) => {
      const [kind, field] = [textOf(row, "kind") as Kind, textOf(row, "field")];
      const ids = {
        experiment_id: textOf(row, "experiment_id"),
        dimension: textOf(row, "dimension"),
      };
      const id = resultKey({ ...ids, kind, source: textOf(row, "source") });
      const name = metricKind(kind).columns?.[field] ?? field;
      // The model of Bradley-Terry has errors and classes too, which nobody publishes under its name.
      const isOther = kind === "bradley_terry" && !fieldsOf(kind).includes(name);
      return isOther ? [] : [JSON.stringify([id, textOf(row, "item"), name, row.value])];
    });
    const read = [...(await readRecomputed(warehouse))].flatMap(([id, values]) => {
      const [, kind] = JSON.parse(id) as [string, Kind];
      return values.items.flatMap((item) =>
        fieldsOf(kind).flatMap((field) => {
          const value = tableNumber(values, item, field);
          return Number.isNaN(value) ? [] : [JSON.stringify([id, item, field, value])];
        }),
      );
    });
    warehouse.close();
    expect(read.sort()).toEqual(held.sort());
  });
});
