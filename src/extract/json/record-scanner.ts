import {
  begin,
  compile,
  endRecord,
  forget,
  learn,
  settle,
  unknownOf,
  wordOf,
  type Compiled,
  type Field,
  type UnknownField,
  type Word,
} from "./compiled.js";
import type { Shape } from "./shape.js";
import { ascii, endsRun, incomplete, odd, skipBlank, skipText, skipValue } from "./tokenizer.js";

const { openBrace, closeBrace, openBracket, closeBracket, quote, comma, colon, minus, dot, zero } = ascii;
const [lowerF, lowerN, lowerT] = [0x66, 0x6e, 0x74];
const isDigit = (byte: number) => (byte ^ 0x30) < 10;
const words = { null: wordOf("null"), true: wordOf("true"), false: wordOf("false") };
/** Digits that are exact as a double, as a 64-bit integer, and in every reader alike. */
const maximumDigits = 15;

/** Walks over records and compares each with a shape, without building values. */
interface RecordScanner {
  /** Position after the record at `at`, or `incomplete` (read it again from its start with more bytes) or `odd`. */
  readonly read: (bytes: Uint8Array<ArrayBuffer>, at: number, end: number, before: number) => number;
  /** Counts the record that was read last. What is not settled leaves no trace. */
  readonly settle: () => void;
  /** The settled rows of each table. */
  readonly rows: () => Record<string, number>;
  /** Tables whose rows came in order. */
  readonly ordered: () => string[];
  /** The unknown fields of each table's records, by name; undefined where they are in doubt. */
  readonly unknown: () => Record<string, readonly UnknownField[]> | undefined;
}

/** The bytes to read. Those from `end` on do not count. */
interface Window {
  bytes: Uint8Array;
  view: DataView;
  end: number;
  /** Bytes of the body before the window, and where the current element begins. */
  before: number;
  at: number;
}

const fail = (at: number, { end }: Window) => (at >= end ? incomplete : odd);

function record(window: Window, at: number, shape: Compiled): number {
  const { bytes } = window;
  const ordinal = ++shape.begun;
  if (bytes[at] !== openBrace) return fail(at, window);
  const first = skipBlank(bytes, at + 1);
  if (bytes[first] === closeBrace) at = first;
  else
    for (let previous: Field | undefined; ;) {
      const lead = at;
      let field = previous === undefined ? shape.first : previous.next;
      if (isSame(window, field.lead, at, field.value - field.lead)) at += field.value - field.lead;
      else {
        at = skipBlank(bytes, at + 1);
        if (bytes[at] !== quote) return fail(at, window);
        at++;
        if (!matches(window, at, field.key)) {
          const found = fieldAt(window, at, shape);
          if (typeof found === "number") return found;
          field = found;
          if (previous === undefined) shape.first = field;
          else previous.next = field;
        }
        at = skipBlank(bytes, at + field.key.length);
        if (bytes[at] !== colon) return fail(at, window);
        at++;
      }
      at = skipBlank(bytes, at);
      if (field.lastRecord === ordinal) return odd;
      field.lastRecord = ordinal;
      previous = field;
      const start = at;
      if (bytes[at] === lowerN) {
        field.hasNull = true;
        if (field.isOrder) shape.isOrdered = false;
        at = word(window, at, words.null);
      } else if (isSame(window, field.value, at, field.end - field.value)) at += field.end - field.value - 1;
      else at = value(window, at, field, shape);
      if (at < 0) return at;
      field.lead = lead;
      field.value = start;
      field.end = field.isOrder || field.records || bytes[start] === lowerN ? start : at + 1;
      at = skipBlank(bytes, at);
      if (bytes[at] === closeBrace) break;
      if (bytes[at] !== comma) return fail(at, window);
    }
  endRecord(shape);
  return at + 1;
}

/** Whether the `length` bytes at `at` are those at `from`, earlier in the window. False for a few bytes, which are read faster. */
function isSame({ view, end }: Window, from: number, at: number, length: number): boolean {
  const last = length - 4;
  if (last < 0 || at + length > end) return false;
  for (let i = 0; i < last; i += 4) if (view.getInt32(from + i, true) !== view.getInt32(at + i, true)) return false;
  return view.getInt32(from + last, true) === view.getInt32(at + last, true);
}

function matches({ bytes, view }: Window, at: number, { fours, rest }: Word): boolean {
  for (let i = 0; i < fours.length; i++, at += 4) if (view.getInt32(at, true) !== fours[i]) return false;
  for (let i = 0; i < rest.length; i++) if (bytes[at + i] !== rest[i]) return false;
  return true;
}

function word(window: Window, at: number, word: Word): number {
  return matches(window, at, word) ? at + word.length : fail(at + word.length - 1, window);
}

/** The field whose name begins at `at`; a new name is learnt. */
function fieldAt(window: Window, at: number, shape: Compiled): Field | number {
  const { bytes } = window;
  const isHere = ({ key }: Field) => matches(window, at, key);
  const met = shape.fields.find(isHere) ?? shape.unknown.find(isHere);
  if (met) return met;
  let to = at;
  while (endsRun[bytes[to] as number] === 0) to++;
  return bytes[to] === quote ? (learn(shape, bytes.subarray(at, to)) ?? odd) : fail(to, window);
}

function value(window: Window, at: number, field: Field, shape: Compiled): number {
  const { bytes, end } = window;
  const first = bytes[at] as number;
  switch (field.kind) {
    case "text":
      return first === quote ? skipText(bytes, at + 1, end) : fail(at, window);
    case "text_or_integer":
      return first === quote ? skipText(bytes, at + 1, end) : integer(window, at, undefined);
    case "integer":
      return integer(window, at, field.isOrder ? shape : undefined);
    case "number":
      return number(window, at);
    case "boolean":
      return first === lowerT
        ? word(window, at, words.true)
        : first === lowerF
          ? word(window, at, words.false)
          : fail(at, window);
    case "json":
      return skipValue(bytes, at, end);
    case "records":
      return field.records ? records(window, at, field.records) : odd;
    case "never":
      return odd;
  }
}

function integer(window: Window, start: number, order: Compiled | undefined): number {
  const { bytes } = window;
  let at = bytes[start] === minus ? start + 1 : start;
  const digits = at;
  let value = 0;
  while (isDigit(bytes[at] as number)) value = value * 10 + (bytes[at++] as number) - zero;
  const length = at - digits;
  if (at >= window.end) return incomplete;
  if (length === 0 || length > maximumDigits || (bytes[digits] === zero && at > start + 1)) return odd;
  if (order) {
    if (digits > start) value = -value;
    if (value < order.lastOrder) order.isOrdered = false;
    order.lastOrder = value;
  }
  return at;
}

function number(window: Window, start: number): number {
  const { bytes } = window;
  let at = bytes[start] === minus ? start + 1 : start;
  const digits = at;
  while (isDigit(bytes[at] as number)) at++;
  if (at === digits) return fail(at, window);
  if (bytes[digits] === zero && (at > digits + 1 || (digits > start && bytes[at] !== dot))) return fail(at, window);
  if (bytes[at] === dot) {
    const fraction = ++at;
    while (isDigit(bytes[at] as number)) at++;
    if (at === fraction) return fail(at, window);
  }
  return at - digits > maximumDigits + 1 ? odd : at;
}

function records(window: Window, at: number, shape: Compiled): number {
  const { bytes } = window;
  if (bytes[at] !== openBracket) return fail(at, window);
  at = skipBlank(bytes, at + 1);
  if (bytes[at] === closeBracket) return at + 1;
  for (;;) {
    at = record(window, at, shape);
    if (at < 0) return at;
    at = skipBlank(bytes, at);
    if (bytes[at] !== comma) return bytes[at] === closeBracket ? at + 1 : fail(at, window);
    at = skipBlank(bytes, at + 1);
  }
}

/**
 * Accepts records in which each field occurs at most once, known ones with values of the kinds that the engine's typed
 * reader takes exactly, unknown ones with plain names, and few of them. Whatever is in doubt is `odd`.
 */
export function createRecordScanner(shape: Shape): RecordScanner {
  const own = compile(shape);
  /** The elements' shape, then those of the records inside them. */
  const shapes = [own, ...own.fields.flatMap(({ records }) => records ?? [])];
  const empty = new Uint8Array();
  const window: Window = { bytes: empty, view: new DataView(empty.buffer), end: 0, before: 0, at: 0 };
  return {
    read(bytes, at, end, before) {
      if (bytes !== window.bytes) window.view = new DataView(bytes.buffer);
      if (before !== window.before || at <= window.at) for (const one of shapes) forget(one);
      window.bytes = bytes;
      window.end = end;
      window.before = before;
      window.at = at;
      for (const one of shapes) begin(one);
      return record(window, at, own);
    },
    settle() {
      for (const one of shapes) settle(one);
    },
    rows: () => Object.fromEntries(shapes.map(({ table, count }) => [table, count])),
    ordered: () => shapes.flatMap(({ table, wasOrdered }) => (wasOrdered ? [table] : [])),
    unknown() {
      const each = shapes.map((one) => [one.table, unknownOf(one)] as const);
      return each.every((one): one is [string, UnknownField[]] => one[1] !== undefined)
        ? Object.fromEntries(each)
        : undefined;
    },
  };
}
