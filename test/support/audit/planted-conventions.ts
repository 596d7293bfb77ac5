import type { RatingColumns } from "../../../src/audit/ratings/rating-columns.js";
import type { Population } from "../../../src/audit/ratings/population.js";
import { hypothesesFor, type Hypothesis } from "../../../src/audit/explain/hypotheses.js";
import type { Scenario } from "../../../src/audit/evaluate/scenario.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import type { PublishingRule } from "../../../src/emulator/index.js";
import { publishingRules } from "../../../src/emulator/publishing/rules.js";
import type { ConventionInput } from "../../../src/emulator/scoring/convention.js";

/** A convention or parameter of the audit, and the rule with which the emulator publishes under it. */
export interface PlantedConvention {
  readonly name: string;
  /** Conventions of the same axis exclude each other. */
  readonly axis: string;
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
  const { job, dimension, item, ...same } = population;
  if (item === "own") return null;
  const own = {
    ...same,
    ...(job === undefined ? {} : { job: job ?? "*" }),
    ...(dimension === undefined ? {} : { dimension: dimension ?? "*" }),
    ...(item === undefined ? {} : items[item]),
    ...conventions,
  };
  try {
    return publishingRules([{ ...(Object.keys(own).length === 0 ? {} : { conventions: own }), ...shown }])[0] ?? null;
  } catch {
    return null;
  }
}

type Named = readonly (readonly [name: string, rule: PublishingRule])[];

const scales: Named = [
  ["scale=0.2 shift=3", { rescale: { by: 0.2, plus: 3 } }],
  ["shift=10", { rescale: { plus: 10 } }],
];

const parameters: Partial<Record<Kind, Named>> = {
  percent_chosen: scales,
  percent_approved: scales,
  mean: scales,
  stats: scales,
  elo: [
    ["k=24 start=1500", { conventions: { elo: { k: 24, start: 1500 } } }],
    ["start=1000", { conventions: { elo: { start: 1000 } } }],
  ],
  bayesian_elo: [
    ["shape=2", { conventions: { bayesian_elo: { shape: 2, rate: 0.05 } } }],
    ["anchor=1500", { conventions: { bayesian_elo: { anchor: 1500 } } }],
    ["scale=200", { conventions: { bayesian_elo: { scale: 200 } } }],
  ],
};

/** A fraction, another scale and a shift share one axis: the numbers do not show which was planted. */
const axisOf = (name: string): string => (/^(scale|shift)=/.test(name) ? "scale" : (name.split("=")[0] ?? ""));

export interface PlantedSet {
  /** The conventions of the catalogue under which the emulator can publish. */
  readonly conventions: readonly PlantedConvention[];
  readonly parameters: readonly PlantedConvention[];
}

export function conventionsToPlant(
  kind: Kind,
  own: Scenario,
  ratings: RatingColumns,
  dimension: string,
  source: string,
): PlantedSet {
  const conventions = hypothesesFor(kind, own, ratings, dimension, source).flatMap((h): PlantedConvention[] => {
    const rule = ruleOf(h);
    return rule === null ? [] : [{ name: h.name, axis: h.axis, rule }];
  });
  const free = (parameters[kind] ?? []).map(([name, rule]): PlantedConvention => ({ name, axis: axisOf(name), rule }));
  return { conventions, parameters: free };
}

/** Each convention and parameter alone, each pair of conventions, and each value in use with each convention. */
export function combinationsOf({ conventions, parameters: free }: PlantedSet): {
  alone: PlantedConvention[][];
  together: PlantedConvention[][];
} {
  // A unit is a scale: of the two, only the last one planted would be published.
  const axisIn = ({ axis }: PlantedConvention): string => (axis === "unit" ? "scale" : axis);
  const apart = (a: PlantedConvention, b: PlantedConvention): boolean => axisIn(a) !== axisIn(b);
  const pairs = conventions.flatMap((a, i) =>
    conventions
      .slice(i + 1)
      .filter((b) => apart(a, b))
      .map((b) => [a, b]),
  );
  const mixed = free
    .filter(({ name }) => /^(k|start|anchor)=/.test(name))
    .flatMap((p) => conventions.filter((c) => apart(c, p)).map((c) => [c, p]));
  return { alone: [...conventions, ...free].map((plant) => [plant]), together: [...pairs, ...mixed] };
}
