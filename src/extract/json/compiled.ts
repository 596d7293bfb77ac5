import { isUtf8 } from "node:buffer";
import type { FieldShape, Shape } from "./shape.js";

/** Text to compare with, four bytes at a time and then the rest one by one. */
export interface Word {
  readonly length: number;
  readonly fours: Int32Array;
  readonly rest: Uint8Array;
}

export function wordOf(text: string): Word {
  const bytes = new Uint8Array(Buffer.from(text));
  const view = new DataView(bytes.buffer);
  const fours = Int32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getInt32(4 * i, true));
  return { length: bytes.length, fours, rest: bytes.slice(4 * fours.length) };
}

/** Bytes that a buffer must have beyond its end, so that a comparison may read there. */
export const slack = 128;
/** Maximum number of names learnt for one table, and the maximum bytes of a name. */
const [maximumNames, maximumName] = [64, 100];

export interface Field extends Omit<FieldShape, "records"> {
  /** The name's bytes and its closing quote. */
  readonly key: Word;
  readonly records: Compiled | undefined;
}

/** A shape made ready for walking, and what the walk learnt. Arrays go by the field's place in `fields`. */
export interface Compiled {
  readonly table: string;
  /** Those of the contract, then the unknown ones in the order in which they were met. */
  readonly fields: Field[];
  /** How many of the fields are the contract's. */
  readonly known: number;
  /** Field that followed each field last time; the first is at 0. */
  readonly next: Uint8Array;
  /** The last record in which a field occurred. */
  readonly stamps: Float64Array;
  walks: number;
  /** Place of the field by which the rows are in order; -1 where there is none. */
  readonly order: number;
  last: number;
  ordered: boolean;
  /** Records with each unknown field, and 1 where it was null. */
  readonly counts: Float64Array;
  readonly nulls: Uint8Array;
  records: number;
  /** The same for the element that is being walked over: it may have to be walked over again. */
  readonly pending: Float64Array;
  pendingRecords: number;
}

export function compile({ table, fields }: Shape): Compiled {
  const compiled = fields.map((field) => ({
    ...field,
    key: wordOf(`${field.name}"`),
    records: field.records && compile(field.records),
  }));
  const room = fields.length + maximumNames;
  const next = Uint8Array.from({ length: room + 1 }, (_, i) => i % fields.length);
  const order = fields.findIndex(({ isOrder }) => isOrder);
  const [stamps, counts, pending] = [new Float64Array(room), new Float64Array(room), new Float64Array(room)];
  const walk = { stamps, walks: 0, order, last: -Infinity, ordered: order >= 0 };
  return {
    table,
    fields: compiled,
    known: fields.length,
    next,
    ...walk,
    counts,
    nulls: new Uint8Array(room),
    records: 0,
    pending,
    pendingRecords: 0,
  };
}

/**
 * The place of a field that was not met before; -1 where its name is in doubt: an empty, long or odd one, one too many,
 * or one that differs from another only in case, which the engine's typed reader cannot hold apart.
 */
export function learn({ fields, known }: Compiled, bytes: Uint8Array): number {
  if (fields.length - known === maximumNames || bytes.length === 0 || bytes.length > maximumName || !isUtf8(bytes))
    return -1;
  const name = Buffer.from(bytes).toString();
  if (fields.some((field) => field.name.toLowerCase() === name.toLowerCase())) return -1;
  return fields.push({ name, kind: "json", isOrder: false, key: wordOf(`${name}"`), records: undefined }) - 1;
}

/** Starts an element, perhaps again: an earlier, incomplete walk over it does not count. */
export function begin(shape: Compiled): void {
  shape.pending.fill(0, shape.known, shape.fields.length);
  shape.pendingRecords = 0;
}

/** Ends a record. */
export function count(shape: Compiled): void {
  const { fields, known, stamps, walks, pending } = shape;
  for (let i = known; i < fields.length; i++) if (stamps[i] === walks) pending[i] = (pending[i] as number) + 1;
  shape.pendingRecords++;
}

/** Ends an element. */
export function settle(shape: Compiled): void {
  for (let i = shape.known; i < shape.fields.length; i++)
    shape.counts[i] = (shape.counts[i] as number) + (shape.pending[i] as number);
  shape.records += shape.pendingRecords;
}

/** A field that the contract does not know. */
export interface UnknownField {
  readonly name: string;
  /** Records that have it. */
  readonly count: number;
  /** True when every record has it. */
  readonly isEverywhere: boolean;
}

/**
 * The unknown fields by name. Undefined when one is null in some records and missing in others, which the engine's
 * typed reader cannot distinguish.
 */
export function unknownOf({ fields, known, counts, nulls, records }: Compiled): UnknownField[] | undefined {
  const all = fields
    .map(({ name }, i) => ({
      name,
      count: counts[i] ?? 0,
      isEverywhere: counts[i] === records,
      isNull: nulls[i] === 1,
    }))
    .slice(known);
  if (all.some(({ isNull, isEverywhere }) => isNull && !isEverywhere)) return undefined;
  return all
    .map(({ name, count, isEverywhere }) => ({ name, count, isEverywhere }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
