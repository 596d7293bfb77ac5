import { records, type RecordName } from "./records.js";
import type { Treatment } from "./schema.js";
import { apiVersions } from "./versions.js";

export type ColumnType = "VARCHAR" | "BIGINT" | "DOUBLE" | "BOOLEAN" | "TIMESTAMPTZ" | "VARCHAR[]" | "JSON";

export interface Column {
  /** Field of the record. */
  name: string;
  type: ColumnType;
  /** True when every version of the record shows the field. */
  required: boolean;
  /** True when the interface lets the field be null. */
  nullable: boolean;
  /** True for a text column that is an integer in some version of the record. */
  wasInteger?: boolean;
  /** True for a column that the request fills, not the record. */
  isAsked?: boolean;
  description?: string;
}

/** The parts of JSON Schema that the contract uses. */
interface SchemaShape {
  type?: string;
  format?: string;
  anyOf?: SchemaShape[];
  items?: SchemaShape;
  description?: string;
  "x-secret"?: boolean;
  "x-table"?: string;
  "x-text"?: boolean;
  "x-persons"?: Treatment;
}

/** Holds the fields that the contract does not know, as one JSON object; null when there are none. */
export const metaColumn: Column = {
  name: "_meta",
  type: "JSON",
  required: false,
  nullable: true,
  description: "Fields that the contract does not know, as a JSON object.",
};

/** Holds the identifier that a request asked for. */
export const askedColumn = (name: string): Column => ({
  name,
  type: "VARCHAR",
  required: false,
  nullable: true,
  isAsked: true,
  description: "Identifier that was asked for; null if the whole list was.",
});

function typeOf(shape: SchemaShape): ColumnType {
  if (shape.anyOf) {
    const types = new Set(shape.anyOf.filter((s) => s.type !== "null").map(typeOf));
    const [only] = types;
    return types.size === 1 && only ? only : "JSON";
  }
  if (shape.type === "string") return shape.format === "date-time" ? "TIMESTAMPTZ" : "VARCHAR";
  if (shape.type === "integer") return shape["x-text"] ? "VARCHAR" : "BIGINT";
  if (shape.type === "number") return "DOUBLE";
  if (shape.type === "boolean") return "BOOLEAN";
  if (shape.type === "array" && shape.items?.type === "string") return "VARCHAR[]";
  return "JSON";
}

/** One table shape for both versions: an identifier that is an integer in one of them is text in the table. */
function widen(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a;
  return a === "JSON" || b === "JSON" ? "JSON" : "VARCHAR";
}

const isNullable = (shape: SchemaShape) => shape.anyOf?.some((s) => s.type === "null") ?? shape.type === undefined;

/**
 * The DuckDB columns of a record: the fields of both versions in their order of appearance.
 * Secrets and lists with their own table are left out; `_meta` is not included.
 */
export function columnsOf(record: RecordName): Column[] {
  const columns = new Map<string, Column>();
  for (const version of apiVersions) {
    const schema = records[record][version];
    const required = new Set<string>(schema.required);
    for (const [name, shape] of Object.entries(schema.properties) as [string, SchemaShape][]) {
      if (shape["x-secret"] || shape["x-table"]) continue;
      const known = columns.get(name);
      const own = typeOf(shape);
      const wasInteger =
        shape["x-text"] === true ||
        known?.wasInteger === true ||
        (known !== undefined && known.type !== own && [known.type, own].includes("BIGINT"));
      columns.set(name, {
        ...(wasInteger ? { wasInteger } : {}),
        name,
        type: known ? widen(known.type, own) : own,
        required: required.has(name) && (known?.required ?? version === apiVersions[0]),
        nullable: isNullable(shape) || (known?.nullable ?? false),
        ...(shape.description === undefined ? {} : { description: shape.description }),
      });
    }
  }
  const inAll = (name: string) => apiVersions.every((version) => name in records[record][version].properties);
  return [...columns.values()].map((column) => ({ ...column, required: column.required && inAll(column.name) }));
}

const secretWords =
  "secret|passw(or)?d|passphrase|credential|(api|private|access|signing|encryption|license)[_-]?key|authorization|(signed|upload)[_-]?ur[il]";
const secretEndings = "token|signature";

/** Matches the name of a field that looks like a secret. Without regard to case; in the syntax of JavaScript and RE2. */
export const secretName = `${secretWords}|(${secretEndings})$`;

/** Matches such a name as that of a field in JSON text, at any depth. */
export const secretNameInJson = `"[^"]*((${secretWords})[^"]*|(${secretEndings}))"\\s*:`;

const secretPattern = new RegExp(secretName, "i");

/** Whether a field that the contract does not know holds a secret, by its name: its value is not stored. */
export function looksSecret(name: string): boolean {
  return secretPattern.test(name);
}

/** Names of the fields that must never be stored, logged or shown. */
export function secretFields(record: RecordName): string[] {
  const names = apiVersions.flatMap((version) =>
    (Object.entries(records[record][version].properties) as [string, SchemaShape][])
      .filter(([, shape]) => shape["x-secret"])
      .map(([name]) => name),
  );
  return [...new Set(names)];
}

/** What pseudonymising does to a field, if the field says so. */
export function treatmentIn(record: RecordName, field: string): Treatment | undefined {
  const shapes = apiVersions.map((version) => records[record][version].properties as Record<string, SchemaShape>);
  return shapes.map((properties) => properties[field]?.["x-persons"]).find((treatment) => treatment !== undefined);
}
