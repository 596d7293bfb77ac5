import { groupOf } from "../../../src/audit/published/cells.js";
import { readScores } from "../../../src/audit/published/scores.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import { explanationOf } from "../../../src/audit/findings/find-cause.js";
import type { Explanation } from "../../../src/audit/findings/finding.js";
import { nameOf, search } from "../../../src/audit/explain/search.js";
import { targetOf, type Target } from "../../../src/audit/target.js";
import { defaultTolerances } from "../../../src/audit/settings.js";
import type { PublishingRule } from "../../../src/emulator/index.js";
import { resultsOf } from "../../../src/emulator/publishing/results.js";
import { countFields } from "./bed/world.js";
import { ownOf, type Fixture } from "./fixture.js";
import type { PlantedConvention } from "./planted-conventions.js";

export { fixtureOf, type Fixture } from "./fixture.js";

export const outcomes = ["rightly", "wrongly", "in part", "not at all", "no difference"] as const;
export type Outcome = (typeof outcomes)[number];

export interface Trial {
  readonly planted: string;
  readonly outcome: Outcome;
  readonly explanation: Explanation | null;
  /** What comes closest to the numbers, whether or not they carry enough to accept it. */
  readonly closest: string;
}

type Row = Record<string, unknown>;

/** Applies `change` to every number of a published row except counts. */
export const eachReal =
  (change: (value: number, field: string, item: string) => number) =>
  (row: Row): Row => {
    const item = Object.values(row).find((v) => typeof v === "string") ?? "";
    const entries = Object.entries(row).map(([field, value]): [string, unknown] => {
      const isReal = typeof value === "number" && !countFields.has(field);
      return [field, isReal ? change(value, field, item) : value];
    });
    return Object.fromEntries(entries);
  };

/** One kind as the emulator publishes it under rules, with `change` applied to each row. */
export function publishedTarget(
  { study, base, names, source }: Fixture,
  kind: Kind,
  dimension: string,
  rules: readonly PublishingRule[],
  change: (row: Row) => Row = (row) => row,
): Target {
  const published = resultsOf(study, [base, ...rules], source).find(
    (r) => r.kind === kind && r.dimension === dimension,
  );
  if (published === undefined) throw new Error(`${kind} is not published`);
  const key = {
    experiment_id: study.experiment.id,
    experiment_name: "",
    kind,
    dimension,
    source,
    published_in: "results",
  };
  const scores = readScores(
    kind,
    published.scores.map((row) => change({ ...row })),
  );
  return targetOf(groupOf(key, scores, published.options, names), kind, defaultTolerances);
}

export interface Audited {
  /** The numbers follow from the run's own conventions. */
  readonly exact: boolean;
  readonly explanation: Explanation | null;
  /** Items with a number that neither the explanation nor, without one, the run's own conventions reproduce. */
  readonly missed: readonly string[];
  /** The best candidate if it reproduces every number, otherwise empty. */
  readonly closest: string;
  /** Nothing is published. */
  readonly isEmpty: boolean;
}

/** Publishes one kind under rules and lets the audit explain it from the numbers alone. */
export function auditPublished(
  fixture: Fixture,
  kind: Kind,
  dimension: string,
  rules: readonly PublishingRule[],
  change?: (row: Row) => Row,
): Audited {
  const target = publishedTarget(fixture, kind, dimension, rules, change);
  const result = search(target, fixture.evaluator, ownOf(fixture, dimension));
  const best = result.candidates[0];
  const exact = result.own.fit.misses.length === 0 && result.own.fit.unpublished.length === 0;
  const found = exact ? null : explanationOf(target, result);
  const { fit } = found?.candidate ?? result.own;
  const missed = [...fit.misses.map((i) => target.cells[i]?.item ?? ""), ...fit.unpublished];
  return {
    exact,
    explanation: found?.explanation ?? null,
    missed: [...new Set(missed)],
    closest: best?.fit.missBits === 0 ? nameOf(best) : "",
    isEmpty: target.cells.length === 0,
  };
}

/**
 * Whether the explanation, or one of its rivals, assumes only what was planted. A planted parameter must be within the
 * range that the explanation states; the simplest number in the range is only an example.
 */
export function isTrue({ name, rivals, parameters }: Explanation, planted: readonly PlantedConvention[]): boolean {
  const words = new Set(planted.flatMap((plant) => wordsOf(plant.name)));
  const within = parameters
    .filter((p) => [...words].some((word) => isWithin(p, word)))
    .map((p) => `${p.name}=${p.value}`);
  const known = new Set([...words, ...within]);
  return (
    wordsOf(name).every((word) => known.has(word)) ||
    rivals.some((text) => wordsOf(text).every((word) => words.has(word)))
  );
}

function isWithin({ name, low, high }: Explanation["parameters"][number], word: string): boolean {
  const [axis, value] = word.split("=");
  return axis === name && low <= Number(value) && Number(value) <= high;
}

/**
 * A convention and parameters with the same meaning: `rater_quality=(alpha=10 beta=2)` is `alpha=10 beta=2`, and with beta = 1
 * every quality ends at 1 whatever alpha is, so that all raters have equal weight.
 */
const wordsOf = (name: string): string[] =>
  name
    .replace(/rater_quality=\((.*?)\)/, "$1")
    .replace(/alpha=\S+ beta=1(?= |$)/, "rater_quality=none")
    .split(" ");

/** Conventions that move or stretch all means or shares, at least where every item has equally many ratings. */
const isLine = (word: string): boolean => /^(relative|share|denominator|scale|shift)=/.test(word);

/** Whether several lines were planted and the explanation is their product: one scale and shift. */
const isProduct = ({ name }: Explanation, planted: readonly PlantedConvention[]): boolean =>
  planted.length > 1 &&
  planted.every((plant) => wordsOf(plant.name).every(isLine)) &&
  wordsOf(name).every((word) => /^(scale|shift)=/.test(word));

/**
 * Publishes under the planted conventions and lets the audit explain the numbers. Correct: everything that the
 * explanation (or one of its rivals) assumes was planted, and every number is reproduced; omitted conventions have no
 * effect; the product of several planted lines is one scale and shift. In part: correct, but some numbers remain and are shown. Wrong: it assumes something that was not planted.
 */
export function tryPlanted(
  fixture: Fixture,
  kind: Kind,
  dimension: string,
  planted: readonly PlantedConvention[],
  decimals?: number,
): Trial {
  const rules = planted.map(({ rule }) => rule);
  if (decimals !== undefined) rules.push({ decimals });
  const { exact, explanation, missed, isEmpty, closest } = auditPublished(fixture, kind, dimension, rules);
  return { planted: planted.map(({ name }) => name).join(" "), outcome: outcomeOf(), explanation, closest };

  function outcomeOf(): Outcome {
    if (exact || isEmpty) return "no difference";
    if (explanation === null) return "not at all";
    if (!isTrue(explanation, planted) && !isProduct(explanation, planted)) return "wrongly";
    return missed.length === 0 ? "rightly" : "in part";
  }
}
