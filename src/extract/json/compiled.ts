import { isUtf8 } from "node:buffer";
import { remembered } from "../../platform/index.js";
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

/** Maximum number of unknown names for one table, and the maximum bytes of a name: below the window's slack. */
const [maximumNames, maximumName] = [64, 100];

/** A field of a record, and what the walk learnt about it. */
export interface Field extends Omit<FieldShape, "records"> {
  /** The name's bytes and its closing quote. */
  readonly key: Word;
  readonly records: Compiled | undefined;
  /** The field that followed this one last time. */
  next: Field;
  /** Number of the last record that had the field. */
  lastRecord: number;
  /**
   * Where in the window the field was last: from the brace or comma before its name, its value, and past the byte after
   * that. What repeats is compared, not read. `end` is `value` where a value must be read each time.
   */
  lead: number;
  value: number;
  end: number;
  hasNull: boolean;
  /** `hasNull` when the last element was settled. */
  hadNull: boolean;
  /** Records that have the field: in all elements read so far, and in the current one, which may be read again. */
  count: number;
  pending: number;
}

/** A shape prepared for walking, and what the walk learnt. */
export interface Compiled {
  readonly table: string;
  readonly fields: readonly Field[];
  /** The fields that the contract does not know, in the order of their first occurrence. */
  readonly unknown: Field[];
  /** The field that came first last time. */
  first: Field;
  /** Records begun, incomplete ones included. */
  begun: number;
  /** Field that orders the rows. */
  readonly order: Field | undefined;
  lastOrder: number;
  isOrdered: boolean;
  /** `lastOrder` and `isOrdered` when the last element was settled. */
  settledOrder: number;
  wasOrdered: boolean;
  /** As in Field. */
  count: number;
  pending: number;
}

const keyOf = remembered((name) => wordOf(`${name}"`));

// Each object is one literal, not assembled: with objects of one hidden class the scan takes two thirds of the time.

function fieldOf({ name, kind, isOrder, records }: FieldShape, next: Field | null = null): Field {
  return {
    name,
    kind,
    isOrder,
    key: keyOf(name),
    records: records && compile(records),
    next: next as Field,
    lastRecord: 0,
    lead: 0,
    value: 0,
    end: 0,
    hasNull: false,
    hadNull: false,
    count: 0,
    pending: 0,
  };
}

export function compile({ table, fields: shapes }: Shape): Compiled {
  const fields = shapes.map((shape) => fieldOf(shape));
  const first = fields[0] as Field;
  fields.forEach((field, i) => (field.next = fields[i + 1] ?? first));
  const order = fields.find(({ isOrder }) => isOrder);
  return {
    table,
    fields,
    unknown: [],
    first,
    begun: 0,
    order,
    lastOrder: -Infinity,
    isOrdered: order !== undefined,
    settledOrder: -Infinity,
    wasOrdered: order !== undefined,
    count: 0,
    pending: 0,
  };
}

/**
 * Adds a field that the contract does not know. Undefined where its name is in doubt: empty, too long, not UTF-8, one
 * too many, or different from another only in case, which the engine's typed reader does not distinguish.
 */
export function learn({ fields, unknown }: Compiled, bytes: Uint8Array): Field | undefined {
  if (unknown.length === maximumNames || bytes.length === 0 || bytes.length > maximumName || !isUtf8(bytes))
    return undefined;
  const name = Buffer.from(bytes).toString();
  if ([...fields, ...unknown].some((field) => field.name.toLowerCase() === name.toLowerCase())) return undefined;
  const field = fieldOf({ name, kind: "json", isOrder: false }, fields[0]);
  unknown.push(field);
  return field;
}

/** Begins an element, perhaps for the second time: a walk over an element that was not settled does not count. */
export function begin(shape: Compiled): void {
  shape.pending = 0;
  shape.lastOrder = shape.settledOrder;
  shape.isOrdered = shape.wasOrdered;
  for (const field of shape.unknown) {
    field.pending = 0;
    field.hasNull = field.hadNull;
  }
}

/** The window moved, or an element is read again: what was at these places is not there, or was not whole. */
export function forget({ fields, unknown }: Compiled): void {
  for (const field of [...fields, ...unknown]) field.lead = field.value = field.end = 0;
}

/** Ends a record. */
export function endRecord(shape: Compiled): void {
  if (shape.order && shape.order.lastRecord !== shape.begun) shape.isOrdered = false;
  for (const field of shape.unknown) if (field.lastRecord === shape.begun) field.pending++;
  shape.pending++;
}

/** Ends an element that counts. */
export function settle(shape: Compiled): void {
  shape.count += shape.pending;
  shape.settledOrder = shape.lastOrder;
  shape.wasOrdered = shape.isOrdered;
  for (const field of shape.unknown) {
    field.count += field.pending;
    field.hadNull = field.hasNull;
  }
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
 * typed reader does not distinguish.
 */
export function unknownOf({ unknown, count: records }: Compiled): UnknownField[] | undefined {
  if (unknown.some(({ hadNull, count }) => hadNull && count !== records)) return undefined;
  return unknown
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => ({ name, count, isEverywhere: count === records }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
