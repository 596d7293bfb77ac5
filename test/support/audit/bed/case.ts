import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Algorithm, Published } from "./algorithm.js";
import type { Change } from "./corruptions.js";
import type { Study } from "./study.js";

export type Origin = "under a convention" | "by another algorithm" | "with an error";

/** One way to publish numbers of a study. */
export interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly origin: Origin;
  /** What the audit may call it, errors aside; none if no convention has a name for it. */
  readonly names: readonly string[];
  /** Every convention in it, even if the algorithm has no name. */
  readonly assumed: readonly string[];
  readonly of: (study: Study, random: () => number) => Published;
  readonly round: NonNullable<Change["round"]>;
}

/** Ways to publish numbers, and the made-up studies to try them with. */
export interface TrialSet {
  readonly studyOf: (seed: number) => Study;
  readonly casesOf: (study: Study, seed: number) => readonly Case[];
}

const toNearest = (v: number, decimals: number): number => Number(v.toFixed(decimals));

/** An algorithm over ratings and with numbers that were changed, one change after the other. */
export function caseOf(algorithm: Algorithm, changes: readonly Change[] = [], isDefinition = changes.length > 0): Case {
  const parts = isDefinition ? changes : [algorithm, ...changes];
  const isOther = !isDefinition && algorithm.names.length === 0;
  const isWrong = changes.some(({ names }) => names.length === 0);
  return {
    name: [...(isDefinition ? [] : [algorithm.name]), ...changes.map((c) => c.name)].join(", "),
    kind: algorithm.kind,
    origin: isWrong ? "with an error" : isOther ? "by another algorithm" : "under a convention",
    names: isOther ? [] : parts.flatMap(({ names }) => names),
    assumed: parts.flatMap(({ names }) => names),
    of(study, random) {
      const counted = changes.reduce(
        (own, { rows }) => rows?.({ ...study, counted: own }, random) ?? own,
        study.counted,
      );
      const scored = algorithm.of(counted, study, random);
      return changes.reduce((own, { numbers }) => numbers?.(own, algorithm.kind, random) ?? own, scored);
    },
    round: changes.find((c) => c.round !== undefined)?.round ?? toNearest,
  };
}
