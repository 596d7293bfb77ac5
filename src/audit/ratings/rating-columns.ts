import { byText, cachedBy } from "../../platform/index.js";

/**
 * Every rating of one experiment as parallel columns, in service order (metrics.md, "Terms"): sessions by
 * (date_completed, id), incomplete ones last; slates by (date_updated, id); then dimension and stimulus.
 * Names are stored once and referred to by index.
 */
export interface RatingColumns {
  readonly experiment_id: string;
  /** NaN if not scored. */
  readonly score: Float64Array;
  readonly stimulus: Int32Array;
  readonly dimension: Int32Array;
  /** Rank in service order, equal for the ratings of one slate; -1 for a rating without a slate. */
  readonly slate: Int32Array;
  /** Rank in service order, equal for the ratings of one session. */
  readonly session: Int32Array;
  readonly job: Int32Array;
  readonly rater: Int32Array;
  readonly training: Uint8Array;
  readonly completed: Uint8Array;
  /** 1 correct, 0 incorrect, -1 unknown; recomputed, not the published flag. */
  readonly correct: Int8Array;
  /** Last change of the slate, in milliseconds since 1970; NaN if unknown. */
  readonly slateUpdated: Float64Array;
  readonly stimuli: readonly Stimulus[];
  readonly dimensions: readonly string[];
  readonly jobs: readonly string[];
  readonly raters: readonly string[];
  /** By rank. */
  readonly sessions: readonly SessionRow[];
  readonly slateIds: BigInt64Array;
}

export interface Stimulus {
  readonly id: string;
  readonly name: string;
  /** The item that the run's conventions derive from the name. */
  readonly item: string;
}

interface SessionRow {
  readonly id: string;
  /** Milliseconds since 1970; NaN if unknown. */
  readonly created: number;
}

/** 1 for each job in a source: one job, or several separated by commas. */
export function jobMask({ jobs }: RatingColumns, source: string): Uint8Array {
  const named = new Set(source.split(","));
  return Uint8Array.from(jobs, (job) => (named.has(job) ? 1 : 0));
}

export const itemKeys = ["own", "stimulus", "condition", "source", "stimulus_id"] as const;

export type ItemKey = (typeof itemKeys)[number];

/** The names of items under an item key, sorted, and the item of each stimulus. */
interface Items {
  readonly names: readonly string[];
  readonly ofStimulus: Int32Array;
}

export function itemName({ id, name, item }: Stimulus, key: ItemKey): string {
  if (key === "own") return item;
  if (key === "stimulus_id") return id;
  if (key === "condition") return name.slice(name.lastIndexOf("/") + 1);
  if (key === "source") return name.includes("/") ? name.slice(0, name.indexOf("/")) : name;
  return name;
}

const itemsOfStimuli = cachedBy((stimuli: readonly Stimulus[], key: ItemKey): Items => {
  const named = stimuli.map((s) => itemName(s, key));
  const names = [...new Set(named)].sort(byText);
  const index = new Map(names.map((name, i) => [name, i]));
  return { names, ofStimulus: Int32Array.from(named, (name) => index.get(name) ?? -1) };
});

export const itemsOf = ({ stimuli }: RatingColumns, key: ItemKey): Items => itemsOfStimuli(stimuli, key);

/** The first item key that names every stimulus like `key`, so that equivalent keys are one. */
export function plainestKey({ stimuli }: RatingColumns, key: ItemKey): ItemKey {
  return itemKeys.find((other) => stimuli.every((s) => itemName(s, other) === itemName(s, key))) ?? key;
}
