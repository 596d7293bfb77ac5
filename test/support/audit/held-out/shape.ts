import type { Random } from "../../../../src/platform/random.js";
import type { Family } from "../bed/study.js";

/** What kind of study is made up. */
export interface Shape {
  readonly family: Family;
  readonly items: number;
  readonly sessions: number;
  readonly slates: number;
  /** Which items meet: any, in a ring of neighbours, all against one, or a few far more often than the others. */
  readonly design: "even" | "ring" | "hub" | "crowded";
  /** Share of comparisons without a preference, about. */
  readonly ties: number;
  /** How many sessions a rater has: one each, about the same, or most of them by one rater. */
  readonly load: "single" | "equal" | "unequal";
  readonly jobs: number;
  /** Sessions in order, so that jobs follow each other, or mixed. */
  readonly jobsFollow: boolean;
  readonly training: number;
  readonly incomplete: "none" | "last" | "anywhere";
  /** Share of slates with an attention check, a third of which are failed. */
  readonly checks: number;
  readonly dimensions: number;
  /** From what a rater feels, 0 on average, to a score. */
  readonly scale: (felt: number) => number;
  /** The scores reversed, for errors. */
  readonly reversed: (score: number) => number;
  readonly withCounts: boolean;
  /** The fields of `stats` that are published. */
  readonly fields: readonly string[];
}

const within = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));
const toStep = (step: number, value: number): number => Number((Math.round(value / step) * step).toFixed(6));
const graded = (low: number, high: number, middle: number, spread: number, step: number) => ({
  scale: (felt: number) => toStep(step, within(low, high, middle + spread * felt)),
  reversed: (score: number) => low + high - score,
});

const scales = {
  pairwise: [{ scale: (felt: number) => felt, reversed: (score: number) => -score }],
  acr: [
    graded(1, 5, 3, 1, 1),
    graded(1, 5, 4.3, 0.8, 1),
    graded(1, 7, 4, 1.4, 1),
    graded(0, 10, 6, 2, 1),
    graded(1, 5, 3, 1, 0.5),
    graded(1, 5, 2.5, 1, 0.1),
  ],
  mushra: [
    graded(0, 100, 50, 20, 1),
    graded(0, 100, 80, 20, 1),
    graded(0, 100, 50, 20, 5),
    graded(0, 100, 40, 18, 0.1),
  ],
  approval: [
    { scale: (felt: number) => (felt > 0 ? 1 : 0), reversed: (score: number) => 1 - score },
    { scale: (felt: number) => (felt > -1.2 ? 1 : 0), reversed: (score: number) => 1 - score },
    { scale: (felt: number) => (felt > 0.5 ? 1 : felt > -0.5 ? 0 : -1), reversed: (score: number) => -score },
  ],
} satisfies Record<Family, readonly Pick<Shape, "scale" | "reversed">[]>;

const allFields = ["n", "mean", "std", "sem", "ci_low", "ci_high", "min", "q1", "median", "q3", "max"];
const published = [
  allFields,
  ["mean", "ci_low", "ci_high"],
  ["n", "mean", "std"],
  ["median", "q1", "q3"],
  ["mean", "std", "n", "ci_low", "ci_high"],
];

const families: readonly Family[] = ["pairwise", "acr", "pairwise", "mushra", "approval"];

/** Four seeds in a row make few and many items, small and real-sized; families follow each other after that. */
export function shapeOf(seed: number, random: Random): Shape {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const [isMany, isLarge] = [seed % 2 === 1, (seed >> 1) % 2 === 1];
  const family = families[(seed >> 2) % families.length] as Family;
  const items = isMany ? between(10, 22) : between(3, 6);
  const perSession = family === "mushra" ? between(2, 5) : isLarge ? between(12, 24) : between(5, 12);
  return {
    family,
    items,
    sessions: isLarge ? between(70, 140) : between(7, 20),
    slates: perSession,
    design: pick(["even", "even", "ring", "hub", "crowded"]),
    ties: pick([0, 0.04, 0.12, 0.35]),
    load: pick(["single", "equal", "unequal"]),
    jobs: pick([1, 2, 2, 4]),
    jobsFollow: random() < 0.5,
    training: pick([0, 1, 1, 3]),
    incomplete: pick(["none", "last", "anywhere"]),
    checks: pick([0, 0, 0.08]),
    dimensions: pick([1, 1, 2]),
    ...pick<Pick<Shape, "scale" | "reversed">>(scales[family]),
    withCounts: random() < 0.6,
    fields: pick(published),
  };
}
