/** Lists of many objects as columns: names and texts in each would take ten times the room. */
import { isMap } from "../platform/index.js";

/** Of one field; of texts the places among `distinct`. Undefined where an object lacks it. */
interface PackedColumn {
  readonly name: string;
  readonly distinct?: readonly unknown[];
  readonly values: ArrayLike<unknown>;
}

export type PackedField =
  | { readonly name: string; readonly value: unknown }
  | { readonly name: string; readonly rows: number; readonly columns: readonly PackedColumn[] };

const fewRows = 1000;

type FlatRow = Record<string, unknown>;

const isFlat = (row: unknown): row is FlatRow =>
  isMap(row) && Object.values(row).every((value) => typeof value !== "object" || value === null);

function packedColumn(name: string, rows: readonly FlatRow[]): PackedColumn {
  const values = rows.map((row) => row[name]);
  if (values.some((value) => typeof value === "number")) return { name, values };
  const places = new Map<unknown, number>();
  const placeOf = (value: unknown): number => {
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  };
  return { name, values: Uint32Array.from(values, placeOf), distinct: [...places.keys()] };
}

function packedField(name: string, value: unknown): PackedField {
  if (!Array.isArray(value) || value.length < fewRows || !value.every(isFlat))
    return { name, value };
  const names = new Set<string>();
  for (const row of value) for (const field in row) names.add(field);
  const columns = [...names].map((field) => packedColumn(field, value));
  return { name, rows: value.length, columns };
}

/** Fields that are lists of flat objects are packed. */
export const packFields = (result: object): readonly PackedField[] =>
  Object.entries(result).map(([name, value]) => packedField(name, value));

function unpackedRows(rows: number, columns: readonly PackedColumn[]): FlatRow[] {
  return Array.from({ length: rows }, (_, i) => {
    const row: FlatRow = {};
    for (const { name, values, distinct } of columns) {
      const value = distinct === undefined ? values[i] : distinct[values[i] as number];
      if (value !== undefined) row[name] = value;
    }
    return row;
  });
}

export const unpackFields = (fields: readonly PackedField[]): object =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      "rows" in field ? unpackedRows(field.rows, field.columns) : field.value,
    ]),
  );
