import type { Kind } from "../../../metrics/index.js";
import type { RatingColumns } from "../../ratings/index.js";
import type { ScenarioPatch } from "../../evaluate/index.js";

/**
 * One convention under which a service may have computed a number. Adding a convention to the audit is adding one
 * of these to the catalogue.
 */
export interface Hypothesis {
  /** As reported: `training=include`. Unique within a kind. */
  readonly name: string;
  /** Hypotheses of one axis exclude each other. */
  readonly axis: string;
  readonly kinds: readonly Kind[];
  /** Completes "The published numbers match when …". */
  readonly says: string;
  readonly set: ScenarioPatch;
  /** The fields that it changes; absent: any. */
  readonly fields?: readonly string[];
  /** Bits to name it: more for rarer conventions. */
  readonly bits: number;
}

/** Hypotheses that depend on what the experiment holds: its jobs, its dimensions. */
export interface HypothesisFamily {
  readonly name: string;
  readonly axis: string;
  readonly kinds: readonly Kind[];
  readonly says: string;
  readonly expand: (ratings: RatingColumns, dimension: string, source: string) => readonly Hypothesis[];
}
