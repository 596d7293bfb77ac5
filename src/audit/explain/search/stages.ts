import type { Hypothesis } from "../hypotheses/index.js";

export type Combination = readonly Hypothesis[];

/** One stage of the search: combinations of one size, tried one after the other. */
export interface Stage {
  /** As a finding's `untried` names it. */
  readonly name: string;
  /** The fewest bits that a candidate of the stage can cost: the stage ends once a cheaper one is known. */
  readonly minBits: number;
  /** What is evaluated for each combination: the conventions alone, or with free parameters. */
  readonly tries: "conventions" | "parameters" | "reachable parameters" | "costly quality";
  readonly combinations: readonly Combination[];
}

/** The stages, from simple to complex. `depth` is the maximum number of conventions to combine. */
export function stagesOf(hypotheses: readonly Hypothesis[], depth: number): Stage[] {
  const singles = combinationsOf(hypotheses, 1);
  const pairs = depth < 2 ? [] : combinationsOf(hypotheses, 2);
  const triples = depth < 3 ? [] : combinationsOf(hypotheses, 3);
  // Each search for parameters tries other labels and truncated numbers by itself; units and references are scales.
  const isFree = (combination: Combination): boolean =>
    ["labels", "rounding", "unit", "relative"].every((axis) => !has(combination, axis));
  const truncated = pairs.filter((pair) => has(pair, "rounding"));
  const untruncated = pairs.filter((pair) => !has(pair, "rounding"));
  const unconditional = [[], ...singles.filter((single) => has(single, "rounding"))];
  return [
    { name: "single conventions", minBits: 2, tries: "conventions", combinations: singles },
    // Before parameters, because numbers truncated under a convention look like a parameter of the run's conventions.
    { name: "conventions with truncated numbers", minBits: 5, tries: "conventions", combinations: truncated },
    { name: "parameters", minBits: 4, tries: "parameters", combinations: unconditional },
    { name: "pairs of conventions", minBits: 5, tries: "conventions", combinations: untruncated },
    {
      name: "parameters under one convention",
      minBits: 7,
      tries: "reachable parameters",
      combinations: singles.filter(isFree),
    },
    { name: "triples of conventions", minBits: 8, tries: "conventions", combinations: triples },
    {
      name: "parameters under two conventions",
      minBits: 9,
      tries: "reachable parameters",
      combinations: pairs.filter(isFree),
    },
    { name: "a prior of the raters' quality", minBits: 7, tries: "costly quality", combinations: [[]] },
  ];
}

const has = (combination: Combination, axis: string): boolean => combination.some((h) => h.axis === axis);

/** Every choice of `size` hypotheses of different axes. */
function combinationsOf(hypotheses: readonly Hypothesis[], size: number): Hypothesis[][] {
  if (size === 0) return [[]];
  return hypotheses.flatMap((first, i) =>
    combinationsOf(hypotheses.slice(i + 1), size - 1)
      .filter((rest) => !has(rest, first.axis))
      .map((rest) => [first, ...rest]),
  );
}
