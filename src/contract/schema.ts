import { Type, type TSchema } from "typebox";

/**
 * Annotations read by the columns, the service and the OpenAPI document:
 * `x-secret` is never stored or logged; `x-table` names the lake table that holds an embedded list.
 */
export interface Annotations {
  "x-secret"?: true;
  "x-table"?: string;
  description?: string;
  [keyword: string]: unknown;
}

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
