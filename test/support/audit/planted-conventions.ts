import type { RatingColumns } from "../../../src/audit/recompute/ratings.js";
import type { Population } from "../../../src/audit/recompute/population.js";
import { hypothesesFor, type Hypothesis } from "../../../src/audit/recompute/hypotheses.js";
import type { Scenario } from "../../../src/audit/recompute/scenario.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import type { PublishingRule } from "../../../src/emulator/index.js";
import { publishingRules } from "../../../src/emulator/publishing/rules.js";
import type { ConventionInput } from "../../../src/emulator/scoring/convention.js";

export interface PlantedConvention {
  readonly name: string;
  readonly rule: PublishingRule;
}

const items: Record<Exclude<Population["item"], "own">, ConventionInput> = {
  stimulus: { item_key: "stimulus", item_pattern: null },
  condition: { item_key: "stimulus", item_pattern: "([^/]*)$" },
  source: { item_key: "stimulus", item_pattern: "^([^/]*)/" },
  stimulus_id: { item_key: "stimulus_id", item_pattern: null },
};

/** The publishing rule for a hypothesis of the audit; null when the emulator has no such option. */
export function ruleOf({ set }: Hypothesis): PublishingRule | null {
  const { population = {}, conventions = {}, ...shown } = set;
  const { job, dimension, item, left_out, ...same } = population;
  if (item === "own") return null;
  const own = {
    ...same,
    ...(job === undefined ? {} : { job: job ?? "*" }),
    ...(left_out?.unit === "job" ? { without_job: left_out.name } : {}),
    ...(dimension === undefined ? {} : { dimension: dimension ?? "*" }),
    ...(item === undefined ? {} : items[item]),
    ...conventions,
  };
  try {
    return (
      publishingRules([
        { ...(Object.keys(own).length === 0 ? {} : { conventions: own }), ...shown },
      ])[0] ?? null
    );
  } catch {
    return null;
  }
}

export function conventionsToPlant(
  kind: Kind,
  own: Scenario,
  ratings: RatingColumns,
  dimension: string,
  source: string,
): PlantedConvention[] {
  return hypothesesFor(kind, own, { ratings, dimension, source }).flatMap((h) => {
    const rule = ruleOf(h);
    return rule === null ? [] : [{ name: h.name, rule }];
  });
}
