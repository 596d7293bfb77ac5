/** Annotations, versions and closed lists that the schemas use. */
import { Type, type TSchema, type TObject } from "typebox";
import { UsageError } from "../platform/index.js";

/**
 * What pseudonymising does: `keep` or `drop` a column, replace the identifier of a `rater` or
 * `session`, keep the `flags` of a rating's meta, or put a session's `place` there.
 */
export type Treatment =
  "keep" | "drop" | "rater" | "session" | "flags" | "rater_object" | "place" | "weight" | "roles";

/**
 * `x-secret`: never stored or logged. `x-table`: the lake table of an embedded list. `x-text`: an
 * integer held as text. `x-assumed`: what the interface does not state.
 */
interface Annotations {
  "x-secret"?: true;
  "x-table"?: string;
  "x-text"?: true;
  "x-assumed"?: string[];
  description?: string;
  [keyword: string]: unknown;
}

/** Rules, or a `field`, `fields`, `required`, `type`, `null` or `unit`, that are assumed. */
export const assumed = <const R extends object>(rules: R, ...also: string[]) => ({
  ...rules,
  "x-assumed": [...also, ...Object.keys(rules)],
});

/** ISO 8601 instant. */
export const DateTime = (options: Annotations = {}) =>
  Type.String({ format: "date-time", ...options });

/** Any JSON value; the interface does not show its shape. */
export const Json = (options: Annotations = {}) => Type.Unknown({ ...options });

export const Nullable = <T extends TSchema>(schema: T, options: Annotations = {}) =>
  Type.Union([schema, Type.Null()], { ...options });

export const Enum = <const T extends readonly string[]>(values: T, options: Annotations = {}) =>
  Type.Unsafe<T[number]>({ ...options, type: "string", enum: [...values] });

export const IntegerEnum = <const T extends readonly number[]>(
  values: T,
  options: Annotations = {},
) => Type.Unsafe<T[number]>({ ...options, type: "integer", enum: [...values] });

/** The two labels of the interface (service-api.md, "Versioning"). */
export const apiVersions = ["0.8.3", "0.7.5"] as const;
export type ApiVersion = (typeof apiVersions)[number];
export const defaultApiVersion: ApiVersion = "0.8.3";

/** A record with one shape in both versions. */
export const same = <T extends TObject>(schema: T) => ({ "0.8.3": schema, "0.7.5": schema });

export const versioned = <N extends TObject, O extends TObject>(newer: N, older: O) => ({
  "0.8.3": newer,
  "0.7.5": older,
});

/** Closed lists of the interface. Source: service-api.md, "Resources and their fields". */

export const languages = ["en", "fr", "de", "zh-hans", "es", "hi", "pl", "vi"] as const;

export const datasetStatuses = ["draft", "processing", "ready", "error"] as const;

export const metricKinds = [
  "bayesian_elo",
  "elo",
  "mean",
  "percent_approved",
  "percent_chosen",
  "stats",
  "win_loss",
] as const;

export const publishedLists = ["results", "metrics", "leaderboards", "rubrics"] as const;
export type PublishedList = (typeof publishedLists)[number];

export const raterPoolKinds = [0, 100, 400, 500, 600, 700] as const;

export const strategiesByVersion = {
  "0.8.3": ["randomized", "lexicographic", "active", "neighbor"],
  "0.7.5": ["randomized", "active", "neighbour"],
} as const;

/** Events that webhooks report. Not shown; assumed. */
export const webhookEvents = [
  "dataset.ready",
  "dataset.error",
  "job.launched",
  "session.completed",
  "job.completed",
  "results.updated",
] as const;

/** Roles of an API key. The first two rows of service-api.md's table require the billing ones. */
export type KeyRole = "member" | "billing_manager" | "owner";

/** Source: service-api.md, "Limits": every identifier in a path matches this pattern. */
export const identifierPattern = "^[a-zA-Z0-9]+$";

/** Of what names a folder of the lake: identifiers, and studies that no service has. */
export const fileNamePattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$";

const matcher = new RegExp(identifierPattern);

export const Identifier = Type.String({ pattern: identifierPattern });

export function isIdentifier(text: string): boolean {
  return matcher.test(text);
}

/** Returns `text` when a path may contain it. @throws UsageError naming `name` and the value. */
export function checkIdentifier(name: string, text: string): string {
  if (isIdentifier(text)) return text;
  throw new UsageError(
    `${name} ${JSON.stringify(text)} is not an identifier of the service: use letters and ` +
      "digits only.",
  );
}
