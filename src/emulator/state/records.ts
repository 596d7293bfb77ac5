import type { RecordOf } from "../../contract/index.js";

// The emulator stores records in their 0.8.3 shapes; presenters make the 0.7.5 shapes from them.
export type Rating = RecordOf<"rating">;
export type Slate = RecordOf<"slate">;
export type Rater = RecordOf<"rater">;
export type Session = RecordOf<"session">;
export type RaterPool = RecordOf<"rater_pool">;

/** A job with all its fields; the operation and the version decide which of them a response has. */
export interface Job extends Omit<RecordOf<"job_detail">, "status" | "config"> {
  /** The number that job bodies and the 0.7.5 shape use for the pool. */
  pool: number;
  status: "draft" | "launched" | "completed";
  config: Record<string, unknown>;
}

/** The fields of a `config`; none when it is not an object. */
export const fieldsOf = (config: unknown): Readonly<Record<string, unknown>> =>
  typeof config === "object" && config !== null ? (config as Record<string, unknown>) : {};
