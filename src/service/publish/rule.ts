import type { ConventionInput } from "../scoring/convention.js";
import type { Kind } from "../scoring/score.js";

/**
 * A switch on what the service publishes: for which experiment (id, name or `*`) and kinds, under
 * which convention, spoilt how, and what `options` says of it. Later rules are laid over earlier ones.
 */
export interface PublishingRule {
  experiment?: string;
  kinds?: Kind[];
  dimension?: string;
  /** The source concerned: `""` the whole experiment, or a job's id. Default: every source. */
  source?: string;
  conventions?: ConventionInput;
  corruption?: Corruption;
  /** Decimals that published numbers are rounded to. */
  decimals?: number;
  /** `stated`: the convention truly used; `silent`: the default one whatever was used; `none`: an empty object. */
  options?: "stated" | "silent" | "none";
}

/** Damage done on purpose: to the answers before scoring, or to the rows after it. */
export type Corruption =
  | { damage: "drop_session"; index: number }
  | { damage: "drop_slate"; index: number }
  | { damage: "double_slate"; index: number }
  | { damage: "double_session"; index: number }
  | { damage: "flip_slate"; index: number }
  | { damage: "flip_session"; index: number }
  | { damage: "tie_slate"; index: number }
  | { damage: "relabel_slate"; index: number; from: string; to: string }
  | { damage: "merge_items"; from: string; to: string }
  | { damage: "round_scores"; step: number }
  | { damage: "shift_scores"; by: number; job: string }
  | { damage: "stale"; sessions: number }
  | { damage: "drop_rater"; index: number }
  | { damage: "swap_items"; a: string; b: string }
  | { damage: "add"; item: string; field: string; by: number }
  | { damage: "scale"; item: string; field: string; by: number }
  | { damage: "drop_item"; item: string }
  | { damage: "copy_item"; from: string; to: string }
  | { damage: "rename_item"; from: string; to: string };
