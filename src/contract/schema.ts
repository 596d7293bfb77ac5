import type { TSchema } from "typebox";
import { Type } from "../platform/index.js";

/**
 * What pseudonymising does to a column: `keep` it, `drop` it (text and JSON that may name a person), replace the identifier
 * of a `rater` or a `session`, keep only the `flags` of a rating's meta, or only the identifier in the object of a rater, or
 * put the `place` of a session there, see `placeField`.
 */
export type Treatment = "keep" | "drop" | "rater" | "session" | "flags" | "rater_object" | "place";

/**
 * Annotations read by the columns, the service and the OpenAPI document:
 * `x-secret` is never stored or logged; `x-table` names the lake table that holds an embedded list;
 * `x-text` is an integer that the lake holds as text, because other records name the same thing by text;
 * `x-persons` is what pseudonymising does to the field, see `Treatment`;
 * `x-assumed` lists what the interface does not state.
 */
export interface Annotations {
  "x-secret"?: true;
  "x-table"?: string;
  "x-text"?: true;
  "x-persons"?: Treatment;
  "x-assumed"?: string[];
  description?: string;
  [keyword: string]: unknown;
}

/**
 * Marks rules (bounds, lengths, defaults) as assumptions, and also other things, as one word each: `field` (the field
 * itself), `fields` (all of a record's), `required`, `type`, `null`, `unit`. docs/emulator.md lists all of them.
 */
export const assumed = <const R extends object>(rules: R, ...also: string[]) => ({
  ...rules,
  "x-assumed": [...also, ...Object.keys(rules)],
});

/** ISO 8601 instant. */
export const DateTime = (options: Annotations = {}) => Type.String({ format: "date-time", ...options });

/** Any JSON value; the interface does not show its shape. */
export const Json = (options: Annotations = {}) => Type.Unknown({ ...options });

export const Nullable = <T extends TSchema>(schema: T, options: Annotations = {}) =>
  Type.Union([schema, Type.Null()], { ...options });

export const Enum = <const T extends readonly string[]>(values: T, options: Annotations = {}) =>
  Type.Unsafe<T[number]>({ ...options, type: "string", enum: [...values] });

export const IntegerEnum = <const T extends readonly number[]>(values: T, options: Annotations = {}) =>
  Type.Unsafe<T[number]>({ ...options, type: "integer", enum: [...values] });
