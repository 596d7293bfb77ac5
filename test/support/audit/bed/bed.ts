import { createEvaluator, type Evaluator } from "../../../../src/audit/evaluate/evaluator.js";
import { fitOf, type Target } from "../../../../src/audit/target/target.js";
import type { Kind } from "../../../../src/metrics/kinds.js";
import { seededRandom } from "../../../../src/platform/random.js";
import { madeUpTarget, own } from "../synthetic-ratings.js";
import type { Algorithm, Published } from "./algorithm.js";
import { algorithms, definitions } from "./algorithms.js";
import { changes, type Change } from "./corruptions.js";
import { hardAlgorithms, hardChanges } from "./hard.js";
import { studyOf, type Family, type Size, type Study } from "./study.js";

export { own };

/** One set of numbers to explain. */
export interface Trial {
  readonly name: string;
  readonly kind: Kind;
  readonly study: Study;
  readonly decimals: number | null;
  readonly names: readonly string[];
  readonly change: Change | null;
  /** Computed by an algorithm of its own, not by the definition from changed ratings or numbers. */
  readonly isAlgorithm: boolean;
  readonly target: Target;
  /** The numbers before rounding. */
  readonly published: Published;
  readonly evaluator: Evaluator;
}

const precisions = [0, 1, 2, 3, null];
const toNearest = (v: number, decimals: number): number => Number(v.toFixed(decimals));
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

/** Ways to publish numbers, and the made-up studies to try them with. */
export interface TrialSet {
  readonly studyOf: (seed: number) => Study;
  readonly algorithms: readonly Algorithm[];
  /** The definitions themselves, for `changes`. */
  readonly definitions: readonly Algorithm[];
  readonly changes: readonly Change[];
}

/** The set with which the rule of evidence was developed: 16 seeds in a row have every family and size. */
export const bed: TrialSet = {
  studyOf(seed) {
    const family = families[seed % 4] as Family;
    const size = sizes[(seed >> 2) % 4] as Size;
    return studyOf(family, family === "mushra" ? { ...size, slates: Math.max(3, size.slates >> 2) } : size, seed);
  },
  algorithms: [...algorithms, ...hardAlgorithms],
  definitions,
  changes: [...changes, ...hardChanges],
};

/** Every algorithm and change of a set for one study, each at one precision; null if the numbers do not differ. */
export function* trialsOf(set: TrialSet, seed: number): Generator<() => Trial | null> {
  const study = set.studyOf(seed);
  const { family } = study;
  const evaluator = createEvaluator(study.ratings);
  let at = seed;
  const trial = (
    name: string,
    { kind, of }: Algorithm,
    names: readonly string[],
    change: Change | null,
    number: number,
  ): Trial | null => {
    const decimals = precisions[number % precisions.length] as number | null;
    const random = seededRandom(1000 * seed + number);
    const rows = change?.rows?.(study, random) ?? study.counted;
    const scored = of(rows, study, random);
    const published = change?.numbers?.(scored, kind, random) ?? scored;
    const values = [...published.values()].flatMap((own) => Object.values(own));
    if (values.length === 0 || values.some((v) => !Number.isFinite(v))) return null;
    const target = targetFrom(kind, published, study.items, decimals, change?.round ?? toNearest);
    const fit = fitOf(target, evaluator.table(kind, own));
    if (fit.misses.length + fit.unpublished.length === 0) return null;
    return { name, kind, study, decimals, names, change, isAlgorithm: change === null, target, evaluator, published };
  };
  for (const algorithm of set.algorithms.filter((a) => a.families.includes(family))) {
    const number = at++;
    yield () => trial(algorithm.name, algorithm, algorithm.names, null, number);
  }
  for (const definition of set.definitions.filter((a) => a.families.includes(family))) {
    for (const change of set.changes) {
      const number = at++;
      yield () => trial(change.name, definition, change.names, change, number);
    }
  }
}
