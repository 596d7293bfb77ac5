import type { Alteration, Population } from "../../ratings/index.js";
import type { Budget } from "../budget.js";
import type { Mismatch } from "../mismatch.js";

/** The ratings that may count, in order: comparisons for the pairwise kinds, single ratings for the others. */
export interface Events {
  readonly count: number;
  /** 1 for an event that counts, 0 for one that would only be added. */
  readonly counted: Uint8Array;
  /** 1 a preferred, -1 b preferred, 0 a tie; empty for kinds without comparisons. */
  readonly outcome: Int8Array;
  readonly session: Int32Array;
  readonly rater: Int32Array;
  readonly slate: Int32Array;
  /** The rating of each event, for kinds that rate items one by one; empty for the others. */
  readonly rating: Int32Array;
}

/** An alteration of some events. */
export interface EventChange {
  readonly events: Int32Array;
  readonly alteration: Alteration;
}

/**
 * The gap that a change must close, as equations over the published numbers: the effects of the change must sum to
 * `residual`, each within `slack`. `resolution` is the smallest difference that the published number can show.
 */
export interface Gap {
  readonly residual: Float64Array;
  readonly slack: Float64Array;
  readonly resolution: Float64Array;
}

export type Emit = (equation: number, amount: number) => void;

/** The effect of single events on the equations. */
export interface Linear {
  readonly gap: Gap;
  /** The most equations that one event has an effect on. */
  readonly touched: number;
  /** Emits what counting `event` once with `outcome` adds to the equations, times `sign`. */
  readonly contribution: (event: number, outcome: number, sign: number, emit: Emit) => void;
}

/** How the published numbers of one kind depend on each event. */
export interface Influence {
  readonly events: Events;
  readonly linear: () => Linear;
  /** Where effects are only first-order: the equations recomputed after a change. Null if effects add up exactly. */
  readonly replayed: {
    readonly linear: (change: EventChange) => Linear;
    readonly residual: (change: EventChange) => Float64Array;
  } | null;
  /** Whether the published numbers match after a change. */
  readonly matches: (change: EventChange) => boolean;
  /** Work of one `matches`. */
  readonly cost: number;
  /** Ranks r such that the sessions before r alone may give the published numbers, newest first. */
  readonly prefixes: (budget: Budget) => number[];
}

/**
 * The influence of the ratings of `wide` on the numbers of a mismatch: its own population, or one that adds ratings.
 * Null if single ratings have no influence that can be computed.
 */
export type InfluenceOf = (mismatch: Mismatch, wide: Population) => Influence | null;

/** Emits what changing an event adds to the equations. */
export function effectOf(
  { contribution }: Linear,
  { outcome }: Events,
  event: number,
  alteration: Alteration,
  emit: Emit,
): void {
  const own = outcome[event] ?? 0;
  if (alteration === "doubled" || alteration === "added") contribution(event, own, 1, emit);
  else {
    contribution(event, own, -1, emit);
    if (alteration === "flipped") contribution(event, -own, 1, emit);
    else if (alteration === "tied") contribution(event, 0, 1, emit);
  }
}

export function isClosed(residual: Float64Array, slack: ArrayLike<number>): boolean {
  for (let e = 0; e < residual.length; e++) {
    if (!(Math.abs(residual[e] as number) <= (slack[e] as number))) return false;
  }
  return true;
}
