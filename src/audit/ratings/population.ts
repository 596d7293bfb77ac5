import type { Order } from "../../metrics/index.js";

export const itemKeys = ["own", "stimulus", "condition", "source", "stimulus_id"] as const;

export type ItemKey = (typeof itemKeys)[number];

/** Which ratings count, for which items, and in which order. */
export interface Population {
  readonly training: "exclude" | "include" | "only";
  readonly incomplete: "exclude" | "include";
  readonly incorrect: "include" | "exclude_ratings" | "exclude_slates" | "exclude_sessions" | "exclude_raters";
  /** One job, or several separated by commas; null for all. */
  readonly job: string | null;
  /** A job to leave out, or null. */
  readonly without_job: string | null;
  /** Null: all dimensions together. */
  readonly dimension: string | null;
  /** How an item is named after its stimulus; `own` is the run's convention. */
  readonly item: ItemKey;
  readonly order: Order;
  /** Number of sessions to count, from the start of the service order; null for all. */
  readonly first_sessions: number | null;
  /** Which of a rater's repeated answers to the same stimuli count. */
  readonly repeats: "all" | "first" | "last";
  /** Comparisons: of slates with two scores, or each pair of a slate. */
  readonly pairs: "two" | "all";
}

/** A search asks for the key of one population thousands of times. */
const keys = new WeakMap<Population, string>();

export function populationKey(p: Population): string {
  const known = keys.get(p);
  if (known !== undefined) return known;
  const key = JSON.stringify([
    ...[p.training, p.incomplete, p.incorrect, p.job, p.without_job],
    ...[p.dimension, p.item, p.order, p.first_sessions, p.repeats, p.pairs],
  ]);
  keys.set(p, key);
  return key;
}

/** The same ratings in the order of the service. */
export const inServiceOrder = (population: Population): Population =>
  population.order === "service" ? population : { ...population, order: "service" };
