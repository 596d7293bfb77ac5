import { createEvaluator, type Evaluator } from "../../../../src/audit/evaluate/evaluator.js";
import { fitOf, type Target } from "../../../../src/audit/target/target.js";
import type { Kind } from "../../../../src/metrics/kinds.js";
import { seededRandom } from "../../../../src/platform/random.js";
import { madeUpTarget, own as ownScenario } from "../synthetic-ratings.js";
import type { Algorithm, Published } from "./algorithm.js";
import { algorithms, definitions } from "./algorithms.js";
import { caseOf, type Case, type TrialSet } from "./case.js";
import { changes, type Change } from "./corruptions.js";
import { hardAlgorithms, hardChanges } from "./hard.js";
import { studyOf, type Family, type Size, type Study } from "./study.js";

/** One set of numbers to explain. */
export interface Trial extends Case {
  readonly study: Study;
  readonly decimals: number | null;
  readonly target: Target;
  /** The numbers before rounding. */
  readonly published: Published;
  readonly evaluator: Evaluator;
}

const precisions = [0, 1, 2, 3, null];
const counts = new Set(["n", "wins", "losses", "ties", "approved"]);

function targetFrom(
  kind: Kind,
  published: Published,
  items: readonly string[],
  decimals: number | null,
  round: NonNullable<Change["round"]>,
): Target {
  const rounded = (v: number): number => (decimals === null ? v : Number(round(v, decimals).toFixed(decimals)));
  const scores = [...published].map(([stimulus, numbers]) => ({
    stimulus,
    ...Object.fromEntries(Object.entries(numbers).map(([f, v]) => [f, counts.has(f) ? v : rounded(v)])),
  }));
  return madeUpTarget(kind, scores, items);
}

const families: readonly Family[] = ["pairwise", "acr", "mushra", "approval"];
const sizes: readonly Size[] = [
  { items: 3, sessions: 8, slates: 8 },
  { items: 5, sessions: 14, slates: 10 },
  { items: 8, sessions: 30, slates: 14 },
  { items: 12, sessions: 50, slates: 16 },
];

/** Every algorithm, and every change of a definition. */
export const everyCase =
  (algorithms: readonly Algorithm[], definitions: readonly Algorithm[], changes: readonly Change[]) =>
  ({ family }: Study): Case[] => {
    const isTried = ({ families }: Algorithm): boolean => families.includes(family);
    return [
      ...algorithms.filter(isTried).map((algorithm) => caseOf(algorithm)),
      ...definitions.filter(isTried).flatMap((definition) => changes.map((change) => caseOf(definition, [change]))),
    ];
  };

/** The set with which the rule of evidence was developed: 16 seeds in a row have every family and size. */
export const bed: TrialSet = {
  studyOf(seed) {
    const family = families[seed % 4] as Family;
    const size = sizes[(seed >> 2) % 4] as Size;
    return studyOf(family, family === "mushra" ? { ...size, slates: Math.max(3, size.slates >> 2) } : size, seed);
  },
  casesOf: everyCase([...algorithms, ...hardAlgorithms], definitions, [...changes, ...hardChanges]),
};

/** Every case of a set for one study, each at one precision; null if the numbers do not differ. */
export function* trialsOf(set: TrialSet, seed: number): Generator<() => Trial | null> {
  const study = set.studyOf(seed);
  const evaluator = createEvaluator(study.ratings);
  let at = seed;
  for (const own of set.casesOf(study, seed)) {
    const number = at++;
    yield () => {
      const decimals = precisions[number % precisions.length] as number | null;
      const published = own.of(study, seededRandom(1000 * seed + number));
      const values = [...published.values()].flatMap((numbers) => Object.values(numbers));
      if (values.length === 0 || values.some((v) => !Number.isFinite(v))) return null;
      const target = targetFrom(own.kind, published, study.items, decimals, own.round);
      const fit = fitOf(target, evaluator.table(own.kind, ownScenario));
      if (fit.misses.length + fit.unpublished.length === 0) return null;
      return { ...own, study, decimals, target, published, evaluator };
    };
  }
}
