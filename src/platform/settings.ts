/** The bounds and defaults of every number, switch and choice that a person may set. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Set with a flag, a key of a pipeline file, or both. */
export interface Setting {
  readonly type: "integer" | "number" | "boolean";
  /** Starts with a verb or a noun and ends with a full stop. */
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | boolean;
}

export const settings = {
  concurrency: {
    type: "integer",
    minimum: 1,
    maximum: 64,
    default: 6,
    description: "Maximum number of concurrent requests.",
  },
  retry_for: {
    type: "integer",
    minimum: 0,
    maximum: 86_400,
    default: 600,
    description:
      "Seconds to retry a request, with growing pauses, while the service is unavailable.",
  },
  keep_raw: {
    type: "boolean",
    default: true,
    description: "Keep response bodies in the lake's raw folder.",
  },
  mask_secrets: {
    type: "boolean",
    default: false,
    description: "Mask the credentials of this export where the service repeats them in the data.",
  },
  pseudonymise: {
    type: "boolean",
    default: false,
    description:
      "Replace the identifiers of raters and sessions by keyed hashes, and leave out free " +
      "text and bodies.",
  },
  allow_shrink: {
    type: "boolean",
    default: false,
    description: "Publish even if a table lost more rows than the maximum share.",
  },
  max_shrink: {
    type: "number",
    minimum: 0,
    maximum: 1,
    default: 0.5,
    description:
      "Maximum share of a table's rows that may be missing compared with the previous snapshot.",
  },
  keep_last: { type: "integer", minimum: 1, description: "Number of newest snapshots to keep." },
  keep_daily: {
    type: "integer",
    minimum: 1,
    description: "Number of newest days to keep one snapshot for.",
  },
  keep_monthly: {
    type: "integer",
    minimum: 1,
    description: "Number of newest months to keep one snapshot for.",
  },
  keep_yearly: {
    type: "integer",
    minimum: 1,
    description: "Number of newest years to keep one snapshot for.",
  },
  keep_models: {
    type: "integer",
    minimum: 0,
    description: "Number of newest snapshots to keep the computed models for.",
  },
  notice_timeout: {
    type: "number",
    minimum: 0.1,
    maximum: 600,
    default: 10,
    description: "Seconds that one attempt to deliver a notice may take.",
  },
  notice_attempts: {
    type: "integer",
    minimum: 1,
    maximum: 20,
    default: 5,
    description: "Maximum number of attempts to deliver a notice.",
  },
  rows: {
    type: "integer",
    minimum: 0,
    default: 20,
    description: "Maximum number of experiments, findings and differences to print.",
  },
  runs: {
    type: "integer",
    minimum: 1,
    default: 10,
    description: "Maximum number of runs to print.",
  },
  max_age: {
    type: "number",
    minimum: 0,
    description: "Hours since the last success after which a project is stale.",
  },
  traced_rows: {
    type: "integer",
    minimum: 0,
    default: 30,
    description: "Maximum number of rows to print.",
  },
  jitter: {
    type: "integer",
    minimum: 0,
    maximum: 21600,
    default: 0,
    description: "Longest delay of a start in seconds; each host and date has its own.",
  },
  catch_up: {
    type: "boolean",
    default: true,
    description: "Make up the last run that was missed.",
  },
  health_port: {
    type: "integer",
    minimum: 0,
    maximum: 65535,
    description:
      "Port of the health server; 0 picks a free one. Without a port there is no health server.",
  },
  port: {
    type: "integer",
    minimum: 0,
    maximum: 65535,
    default: 0,
    description: "Port on 127.0.0.1; 0 picks a free one.",
  },
  seed: {
    type: "integer",
    minimum: 0,
    maximum: 4294967295,
    default: 1,
    description: "Seed of the simulation.",
  },
} as const satisfies Record<string, Setting>;

export interface Choice {
  readonly type: "string";
  readonly enum: readonly string[];
  readonly default: string;
  readonly description: string;
}

export const choices = {
  sources: {
    type: "string",
    enum: ["all", "whole"],
    default: "all",
    description:
      "Read numbers published for each job and leaderboard too (all), or only those for the " +
      "whole experiment (whole).",
  },
  pseudonym_scope: {
    type: "string",
    enum: ["lake", "bundle"],
    default: "lake",
    description:
      "Pseudonymise the lake and all that is made from it (lake), or only the evidence " +
      "bundle (bundle).",
  },
} as const satisfies Record<string, Choice>;

export function allowedValues({ type, minimum, maximum }: Setting): string {
  if (type === "boolean") return "true or false";
  const range =
    maximum === undefined
      ? `of at least ${minimum ?? "any"}`
      : `from ${minimum ?? "any"} to ${maximum}`;
  return `${type === "integer" ? "a whole number" : "a number"} ${range}`;
}
