import type { AuditReport } from "../audit/index.js";
import type { RunLine } from "../lake/index.js";
import type { Recomputed } from "../warehouse/index.js";

/** Everything that is known of a run: what the lake remembers, and the results if there are any. */
export interface RunRecord extends RunLine {
  /** null: the run ended before it knew its project, and the lake does not remember it. */
  readonly project: string | null;
  readonly seconds: number | null;
  /** The last end with exit code 0, this run's included; null if there was none. */
  readonly last_success_at: string | null;
  readonly versions: { readonly recount: string; readonly node: string };
  readonly export?: object;
  readonly checks?: Recomputed["checks"];
  readonly audit?: AuditReport["summary"];
  readonly correctness?: { readonly compared: number; readonly equal: number };
}

/** What is measured of a run. */
export type Measured = Pick<RunRecord, "project" | "seconds" | "last_success_at" | keyof RunLine>;
