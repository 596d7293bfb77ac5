import type { Alteration } from "../../ratings/index.js";
import type { Budget } from "../budget.js";

/** The ratings that may count: comparisons for the pairwise kinds, single ratings for the others, in order. */
export interface Events {
  readonly count: number;
  /** 1 where the event counts already, 0 where it would only be added. */
  readonly counted: Uint8Array;
  /** 1 a preferred, -1 b preferred, 0 a tie; empty for kinds without comparisons. */
  readonly outcome: Int8Array;
  readonly session: Int32Array;
  readonly rater: Int32Array;
  readonly slate: Int32Array;
  /** The rating of each event, for kinds that rate items one by one; empty for the others. */
  readonly rating: Int32Array;
}

/** What is done to some events. */
export interface Change {
  readonly events: Int32Array;
  readonly alteration: Alteration;
}

/**
 * What has to be made up for, as equations over the published numbers: the effects of what is changed must sum to
 * `rest`, each within `slack`. `unit` is how far apart two values are that the published numbers tell apart.
 */
export interface Gap {
  readonly rest: Float64Array;
  readonly slack: Float64Array;
  readonly unit: Float64Array;
}

export type Emit = (equation: number, amount: number) => void;

/** The effect of single events on the equations. */
export interface Linear {
  readonly gap: Gap;
  /** What counting `event` once with `outcome` adds to the equations, times `sign`. */
  readonly contribution: (event: number, outcome: number, sign: number, emit: Emit) => void;
}

/** What the published numbers of one kind owe to each event. */
export interface Influence {
  readonly events: Events;
  /** True where effects add up; else they are first-order, and `linear` is asked anew after each change. */
  readonly isExact: boolean;
  readonly linear: (given?: Change) => Linear;
  /** What is left after a change, recomputed; only where effects do not add up. */
  readonly restAfter: (change: Change) => Float64Array;
  /** Whether the published numbers follow after a change. */
  readonly follows: (change: Change) => boolean;
  /** Work of one `follows`. */
  readonly cost: number;
  /** Ranks r such that the sessions before r alone may give the published numbers, newest first. */
  readonly prefixes: (budget: Budget) => number[];
}

/** What changing an event adds to the equations. */
export function effectOf(
  { contribution }: Linear,
  { outcome }: Events,
  event: number,
  alteration: Alteration,
  emit: Emit,
): void {
  const own = outcome[event] ?? 0;
  if (alteration !== "doubled" && alteration !== "added") contribution(event, own, -1, emit);
  if (alteration === "doubled" || alteration === "added") contribution(event, own, 1, emit);
  else if (alteration === "flipped") contribution(event, -own, 1, emit);
  else if (alteration === "tied") contribution(event, 0, 1, emit);
}

/** Whether `rest` is nothing within `slack`. */
export function isClosed(rest: Float64Array, slack: ArrayLike<number>): boolean {
  for (let e = 0; e < rest.length; e++) if (!(Math.abs(rest[e] as number) <= (slack[e] as number))) return false;
  return true;
}
