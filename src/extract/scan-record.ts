// Walks over one JSON record and says whether the engine's typed reader is exact on it.
import { isUtf8 } from "node:buffer";
import { remembered, isBlank } from "../platform/index.js";
import { ascii } from "./ascii.js";
import type { FieldShape, Shape } from "./plan.js";
import { repeatsField } from "./repeated-fields.js";

const {
  quote,
  backslash,
  comma,
  colon,
  minus,
  dot,
  zero,
  openBrace,
  closeBrace,
  openBracket,
  closeBracket,
} = ascii;
const { space, tab, newline, carriageReturn, lowerA, lowerF, lowerN, lowerT, lowerU } = ascii;

const byteTable = (matches: (byte: number) => boolean) =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(matches(byte)));

const structural: readonly number[] = [
  quote,
  comma,
  openBrace,
  closeBrace,
  openBracket,
  closeBracket,
];

/**
 * Of NaN, Inf and Infinity in any case, which the engine takes for numbers: no word of JSON has
 * these letters, but `false` an a.
 */
const notNumberLetters: readonly number[] = [lowerA, 0x41, 0x4e, 0x49, 0x69];

export const isOfFalse = (byte: number | undefined, before: number | undefined): boolean =>
  byte === lowerA && before === lowerF;

export const byteTables = {
  endsText: byteTable((byte) => byte < space || byte === quote || byte === backslash),
  /**
   * Outside text: structure, control characters other than blanks, and letters of NaN and Infinity.
   */
  isStructural: byteTable(
    (byte) =>
      structural.includes(byte) ||
      (byte < space && !isBlank(byte)) ||
      notNumberLetters.includes(byte),
  ),
} as const;

/** Bytes of the largest element that becomes a row. */
export const maximumElement = 1 << 24;

const { endsText, isStructural } = byteTables;
const isDigit = (byte: number) => (byte ^ zero) < 10;

/** For one table; bytes of a name: below the window's slack. */
const maximumNames = 64;
const maximumName = 100;
/** Exact as a double, as a 64-bit integer, and in every reader alike. */
const maximumDigits = 15;
/** Far deeper brackets overflow the stack of the engine's typed reader. */
const maximumDepth = 1000;

/** Past the value, at the end of the bytes, or at what the typed reader might reject or misread. */
type WalkOutcome = "past" | "cut" | "odd";

/** The bytes have slack beyond `end`, the first of which is 0. */
export interface Cursor {
  bytes: Uint8Array;
  view: DataView;
  at: number;
  end: number;
}

export const slack = 128;

const wordOf = (text: string) => new Uint8Array(Buffer.from(text));

const nullWord = wordOf("null");
const trueWord = wordOf("true");
const falseWord = wordOf("false");

interface Field extends Omit<FieldShape, "records"> {
  readonly key: Uint8Array;
  readonly records: RecordWalk | undefined;
  /** What followed this field last time. */
  next: Field;
  lastRecord: number;
  /**
   * Where in the window the field was last: from the brace or comma before its name, its value, and
   * past the byte after that. What repeats is compared, not read. `end` is `value` where a value
   * must be read each time.
   */
  lead: number;
  value: number;
  end: number;
  hasNull: boolean;
  /** Records that have the field, now and when the last element was kept. */
  count: number;
  kept: number;
}

export interface RecordWalk {
  readonly table: string;
  readonly fields: readonly Field[];
  readonly unknown: Field[];
  first: Field;
  /** Those that are walked over twice included. */
  begun: number;
  readonly order: Field | undefined;
  /**
   * Records walked over, the last value of the order, and whether none was below the one before.
   */
  count: number;
  lastOrder: number;
  isOrdered: boolean;
  keptCount: number;
  keptOrder: number;
  wasOrdered: boolean;
}

const keyWordOf = remembered((name) => wordOf(`${name}"`));

// One literal, not assembled: with objects of one hidden class the scan takes two thirds of the
// time.

function scanField({ name, kind, isOrder, records }: FieldShape, next: Field | null = null): Field {
  return {
    name,
    kind,
    isOrder,
    key: keyWordOf(name),
    records: records && recordWalk(records),
    next: next as Field,
    lastRecord: 0,
    lead: 0,
    value: 0,
    end: 0,
    hasNull: false,
    count: 0,
    kept: 0,
  };
}

export function recordWalk({ table, fields: shapes }: Shape): RecordWalk {
  const fields = shapes.map((shape) => scanField(shape));
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
    count: 0,
    lastOrder: -Infinity,
    isOrdered: order !== undefined,
    keptCount: 0,
    keptOrder: -Infinity,
    wasOrdered: order !== undefined,
  };
}

export function keep(walk: RecordWalk): void {
  walk.keptCount = walk.count;
  walk.keptOrder = walk.lastOrder;
  walk.wasOrdered = walk.isOrdered;
  for (const field of walk.unknown) field.kept = field.count;
}

/** The bytes end in the element: it is walked over again, in another window. */
export function takeBack(walk: RecordWalk): void {
  walk.count = walk.keptCount;
  walk.lastOrder = walk.keptOrder;
  walk.isOrdered = walk.wasOrdered;
  for (const field of walk.unknown) field.count = field.kept;
  for (const field of [...walk.fields, ...walk.unknown]) {
    field.lead = 0;
    field.value = 0;
    field.end = 0;
  }
}

export interface UnknownField {
  readonly name: string;
  readonly count: number;
  readonly isEverywhere: boolean;
}

/**
 * By name. Undefined when one is null in some records and missing in others, which the typed reader
 * does not distinguish.
 */
export function unknownOf({ unknown, count: records }: RecordWalk): UnknownField[] | undefined {
  if (unknown.some(({ hasNull, count }) => hasNull && count !== records)) return undefined;
  return unknown
    .map(({ name, count }) => ({ name, count, isEverywhere: count === records }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

export function skipBlank(cursor: Cursor): void {
  const { bytes } = cursor;
  let at = cursor.at;
  let byte = bytes[at];
  while (byte === space || byte === newline || byte === carriageReturn || byte === tab)
    byte = bytes[++at];
  cursor.at = at;
}

const misfit = ({ at, end }: Cursor): WalkOutcome => (at >= end ? "cut" : "odd");

/** False for a few bytes, which are read faster. */
function isSameBytes({ view, at, end }: Cursor, from: number, length: number): boolean {
  const last = length - 4;
  if (last < 0 || at + length > end) return false;
  for (let i = 0; i < last; i += 4)
    if (view.getInt32(from + i, true) !== view.getInt32(at + i, true)) return false;
  return view.getInt32(from + last, true) === view.getInt32(at + last, true);
}

function isHere({ bytes, at }: Cursor, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

/**
 * Compares one record with the shape without building values. Accepts one in which each field
 * occurs at most once, known ones with values that the typed reader takes exactly, unknown ones
 * with plain names, and few of them.
 */
export function walkRecord(cursor: Cursor, walk: RecordWalk): WalkOutcome {
  const { bytes } = cursor;
  const ordinal = ++walk.begun;
  if (bytes[cursor.at] !== openBrace) return misfit(cursor);
  let lead = cursor.at;
  cursor.at++;
  skipBlank(cursor);
  if (bytes[cursor.at] !== closeBrace) {
    cursor.at = lead;
    for (let previous: Field | undefined; ;) {
      lead = cursor.at;
      const field = fieldAt(cursor, walk, previous);
      if (typeof field === "string") return field;
      skipBlank(cursor);
      if (field.lastRecord === ordinal) return "odd";
      field.lastRecord = ordinal;
      previous = field;
      const start = cursor.at;
      const outcome = walkField(cursor, field, walk);
      if (outcome !== "past") return outcome;
      field.lead = lead;
      field.value = start;
      field.end = field.isOrder || field.records || bytes[start] === lowerN ? start : cursor.at + 1;
      skipBlank(cursor);
      if (bytes[cursor.at] === closeBrace) break;
      if (bytes[cursor.at] !== comma) return misfit(cursor);
    }
  }
  cursor.at++;
  if (walk.order && walk.order.lastRecord !== ordinal) walk.isOrdered = false;
  for (const field of walk.unknown) if (field.lastRecord === ordinal) field.count++;
  walk.count++;
  return "past";
}

function fieldAt(
  cursor: Cursor,
  walk: RecordWalk,
  previous: Field | undefined,
): Field | WalkOutcome {
  const { bytes } = cursor;
  const expected = previous === undefined ? walk.first : previous.next;
  const length = expected.value - expected.lead;
  if (isSameBytes(cursor, expected.lead, length)) {
    cursor.at += length;
    return expected;
  }
  cursor.at++;
  skipBlank(cursor);
  if (bytes[cursor.at] !== quote) return misfit(cursor);
  cursor.at++;
  const field = isHere(cursor, expected.key) ? expected : namedField(cursor, walk);
  if (typeof field === "string") return field;
  if (previous === undefined) walk.first = field;
  else previous.next = field;
  cursor.at += field.key.length;
  skipBlank(cursor);
  if (bytes[cursor.at] !== colon) return misfit(cursor);
  cursor.at++;
  return field;
}

/**
 * A new name is learnt, unless it is empty, too long, not UTF-8, one too many, or different from
 * another only in case, which the typed reader does not distinguish.
 */
function namedField(cursor: Cursor, { fields, unknown }: RecordWalk): Field | WalkOutcome {
  const matches = ({ key }: Field) => isHere(cursor, key);
  const known = fields.find(matches) ?? unknown.find(matches);
  if (known !== undefined) return known;
  const { bytes, at } = cursor;
  let to = at;
  while (endsText[bytes[to]!] === 0) to++;
  if (bytes[to] !== quote) return to >= cursor.end ? "cut" : "odd";
  const own = bytes.subarray(at, to);
  if (
    unknown.length === maximumNames ||
    own.length === 0 ||
    own.length > maximumName ||
    !isUtf8(own)
  )
    return "odd";
  const name = Buffer.from(own).toString();
  if ([...fields, ...unknown].some((field) => field.name.toLowerCase() === name.toLowerCase()))
    return "odd";
  const field = scanField({ name, kind: "json", isOrder: false }, fields[0]);
  unknown.push(field);
  return field;
}

function walkField(cursor: Cursor, field: Field, walk: RecordWalk): WalkOutcome {
  if (cursor.bytes[cursor.at] === lowerN) {
    field.hasNull = true;
    if (field.isOrder) walk.isOrdered = false;
    return walkWord(cursor, nullWord);
  }
  const length = field.end - field.value;
  if (!isSameBytes(cursor, field.value, length)) return walkValue(cursor, field, walk);
  cursor.at += length - 1;
  return "past";
}

function walkValue(cursor: Cursor, field: Field, walk: RecordWalk): WalkOutcome {
  const first = cursor.bytes[cursor.at];
  switch (field.kind) {
    case "text":
      return first === quote ? walkText(cursor) : misfit(cursor);
    case "text_or_integer":
      return first === quote ? walkText(cursor) : walkInteger(cursor, undefined);
    case "integer":
      return walkInteger(cursor, field.isOrder ? walk : undefined);
    case "number":
      return walkNumber(cursor);
    case "boolean":
      if (first === lowerT) return walkWord(cursor, trueWord);
      return first === lowerF ? walkWord(cursor, falseWord) : misfit(cursor);
    case "json": {
      const from = cursor.at;
      const outcome = walkJson(cursor);
      return outcome === "past" && repeatsField(cursor.bytes, from, cursor.at) ? "odd" : outcome;
    }
    case "records":
      return field.records ? walkRecords(cursor, field.records) : "odd";
    case "never":
      return "odd";
  }
}

function walkWord(cursor: Cursor, word: Uint8Array): WalkOutcome {
  if (!isHere(cursor, word)) return cursor.at + word.length > cursor.end ? "cut" : "odd";
  cursor.at += word.length;
  return "past";
}

/** A control character or an escaped NUL is odd. @param cursor at the quote that begins the text */
function walkText(cursor: Cursor): WalkOutcome {
  const { bytes, end } = cursor;
  for (let at = cursor.at + 1; ; at++) {
    while (endsText[bytes[at]!] === 0) at++;
    const byte = bytes[at];
    if (byte === quote) {
      cursor.at = at + 1;
      return "past";
    }
    if (at >= end) return "cut";
    if (byte !== backslash) return "odd";
    at++;
    let zeros = 0;
    if (bytes[at] === lowerU) while (zeros < 4 && bytes[at + 1 + zeros] === zero) zeros++;
    if (zeros === 4) return "odd";
    if (at + 4 >= end) return "cut";
  }
}

function walkInteger(cursor: Cursor, order: RecordWalk | undefined): WalkOutcome {
  const { bytes, at: start } = cursor;
  let at = bytes[start] === minus ? start + 1 : start;
  const digits = at;
  let value = 0;
  while (isDigit(bytes[at]!)) value = value * 10 + bytes[at++]! - zero;
  const length = at - digits;
  if (at >= cursor.end) return "cut";
  if (length === 0 || length > maximumDigits || (bytes[digits] === zero && at > start + 1))
    return "odd";
  if (order) {
    if (digits > start) value = -value;
    if (value < order.lastOrder) order.isOrdered = false;
    order.lastOrder = value;
  }
  cursor.at = at;
  return "past";
}

function walkNumber(cursor: Cursor): WalkOutcome {
  const { bytes, at: start } = cursor;
  let at = bytes[start] === minus ? start + 1 : start;
  const digits = at;
  while (isDigit(bytes[at]!)) at++;
  const whole = at - digits;
  const isZero = bytes[digits] === zero;
  if (bytes[at] === dot) {
    const fraction = ++at;
    while (isDigit(bytes[at]!)) at++;
    if (at === fraction && at < cursor.end) return "odd";
  } else if (isZero && digits > start && at < cursor.end) return "odd";
  if (at >= cursor.end) return "cut";
  if (whole === 0 || (isZero && whole > 1) || at - digits > maximumDigits + 1) return "odd";
  cursor.at = at;
  return "past";
}

/** By brackets and texts alone; a scalar ends at the comma or bracket that follows it. */
function walkJson(cursor: Cursor): WalkOutcome {
  const { bytes } = cursor;
  for (let depth = 0; ;) {
    const byte = bytes[cursor.at];
    if (byte === quote) {
      const outcome = walkText(cursor);
      if (outcome !== "past" || depth === 0) return outcome;
      continue;
    }
    if (byte === openBrace || byte === openBracket) {
      if (++depth > maximumDepth) return "odd";
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return "past";
      if (--depth === 0) {
        cursor.at++;
        return "past";
      }
    } else if (byte === comma && depth === 0) return "past";
    else if (isStructural[byte!] === 1 && byte !== comma && !isOfFalse(byte, bytes[cursor.at - 1]))
      return misfit(cursor);
    cursor.at++;
    while (isStructural[bytes[cursor.at]!] === 0) cursor.at++;
  }
}

function walkRecords(cursor: Cursor, walk: RecordWalk): WalkOutcome {
  const { bytes } = cursor;
  if (bytes[cursor.at] !== openBracket) return misfit(cursor);
  cursor.at++;
  skipBlank(cursor);
  if (bytes[cursor.at] === closeBracket) {
    cursor.at++;
    return "past";
  }
  for (;;) {
    const outcome = walkRecord(cursor, walk);
    if (outcome !== "past") return outcome;
    skipBlank(cursor);
    const byte = bytes[cursor.at];
    if (byte !== comma && byte !== closeBracket) return misfit(cursor);
    cursor.at++;
    if (byte === closeBracket) return "past";
    skipBlank(cursor);
  }
}
