import {
  begin,
  compile,
  count,
  learn,
  settle,
  slack,
  unknownOf,
  wordOf,
  type Compiled,
  type Field,
  type UnknownField,
  type Word,
} from "./compiled.js";
import type { Shape } from "./shape.js";

/** The bytes end inside the value. */
export const incomplete = -1;
/** The value is not as its shape says, or not clearly so. */
export const odd = -2;

const [quote, backslash, comma, colon, minus, dot] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [lowerF, lowerN, lowerT, lowerU] = [0x66, 0x6e, 0x74, 0x75];
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

const words = { null: wordOf("null"), true: wordOf("true"), false: wordOf("false") };
/** Digits that are exact as a double, as a 64-bit integer, and in every reader alike. */
const maximumDigits = 15;

/** 1 for the bytes at which a walk through text stops: the quote, the backslash, control characters. */
const endsRun = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 0x20 || byte === quote || byte === backslash),
);
/** 1 for the bytes that matter outside text. */
const structural = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number([0, quote, comma, openBrace, closeBrace, openBracket, closeBracket].includes(byte)),
);

/**
 * Walks over records in a buffer without building anything and judges each against a shape: each field at most once, known
 * ones with values of the kinds that the typed reader of the engine takes exactly, unknown ones plainly named and few.
 * Whatever is in doubt is `odd`.
 */
export class RecordScanner {
  private bytes: Uint8Array = new Uint8Array(slack);
  private view = new DataView(this.bytes.buffer);
  private end = 0;
  /** The elements' shape, then those of the records inside them. */
  private readonly shapes: readonly Compiled[];

  constructor(shape: Shape) {
    const own = compile(shape);
    this.shapes = [own, ...own.fields.flatMap(({ records }) => records ?? [])];
  }

  /** The bytes to walk over; those from `end` on do not count, and the first of them is 0. */
  look(bytes: Uint8Array<ArrayBuffer>, end: number): void {
    if (bytes !== this.bytes) this.view = new DataView(bytes.buffer);
    this.bytes = bytes;
    this.end = end;
  }

  /** Tables whose rows came in order. */
  ordered(): string[] {
    return this.shapes.flatMap(({ table, ordered }) => (ordered ? [table] : []));
  }

  /** The unknown fields of each table's records, by name; undefined where they are in doubt. */
  unknown(): Record<string, readonly UnknownField[]> | undefined {
    const each = this.shapes.map((shape) => [shape.table, unknownOf(shape)] as const);
    return each.every((one): one is [string, UnknownField[]] => one[1] !== undefined)
      ? Object.fromEntries(each)
      : undefined;
  }

  /** Position after the element at `at`, or `incomplete` or `odd`. */
  element(at: number): number {
    this.shapes.forEach(begin);
    const after = this.record(at, this.shapes[0] as Compiled);
    if (after >= 0) this.shapes.forEach(settle);
    return after;
  }

  /** Position after the blanks at `at`. */
  blank(at: number): number {
    const { bytes } = this;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
    return at;
  }

  private record(at: number, shape: Compiled): number {
    const { bytes } = this;
    const { fields, next, stamps } = shape;
    const walk = ++shape.walks;
    if (bytes[at] !== openBrace) return this.fail(at);
    at = this.blank(at + 1);
    let before = 0;
    if (bytes[at] === closeBrace) return this.closed(at, shape);
    for (;;) {
      if (bytes[at] !== quote) return this.fail(at);
      const index = this.fieldAt(at + 1, shape, next[before] as number);
      if (index < 0) return index;
      if (stamps[index] === walk) return odd;
      stamps[index] = walk;
      next[before] = index;
      before = index + 1;
      const field = fields[index] as Field;
      at = this.blank(at + 1 + field.key.length);
      if (bytes[at] !== colon) return this.fail(at);
      at = this.blank(at + 1);
      if (bytes[at] === lowerN) {
        shape.nulls[index] = 1;
        if (field.isOrder) shape.ordered = false;
        at = this.word(at, words.null);
      } else at = this.value(at, field, shape);
      if (at < 0) return at;
      at = this.blank(at);
      if (bytes[at] === comma) at = this.blank(at + 1);
      else return bytes[at] === closeBrace ? this.closed(at, shape) : this.fail(at);
    }
  }

  private closed(at: number, shape: Compiled): number {
    if (shape.order >= 0 && shape.stamps[shape.order] !== shape.walks) shape.ordered = false;
    count(shape);
    return at + 1;
  }

  private fail(at: number): number {
    return at >= this.end ? incomplete : odd;
  }

  private matches(at: number, { fours, rest }: Word): boolean {
    const { bytes, view } = this;
    for (let i = 0; i < fours.length; i++, at += 4) if (view.getInt32(at, true) !== fours[i]) return false;
    for (let i = 0; i < rest.length; i++) if (bytes[at + i] !== rest[i]) return false;
    return true;
  }

  private word(at: number, word: Word): number {
    if (this.matches(at, word)) return at + word.length;
    return at + word.length > this.end ? incomplete : odd;
  }

  /** The place of the field whose name begins at `at`; a name not met before is learnt. */
  private fieldAt(at: number, shape: Compiled, guess: number): number {
    const { bytes } = this;
    if (this.matches(at, (shape.fields[guess] as Field).key)) return guess;
    const index = shape.fields.findIndex(({ key }) => this.matches(at, key));
    if (index >= 0) return index;
    let to = at;
    while (endsRun[bytes[to] as number] === 0) to++;
    if (bytes[to] !== quote) return this.fail(to);
    const learnt = learn(shape, bytes.subarray(at, to));
    return learnt < 0 ? odd : learnt;
  }

  private value(at: number, field: Field, shape: Compiled): number {
    const first = this.bytes[at] as number;
    switch (field.kind) {
      case "text":
        return first === quote ? this.text(at) : this.fail(at);
      case "text_or_integer":
        return first === quote ? this.text(at) : this.integer(at, undefined);
      case "integer":
        return this.integer(at, field.isOrder ? shape : undefined);
      case "number":
        return this.number(at);
      case "boolean":
        return first === lowerT
          ? this.word(at, words.true)
          : first === lowerF
            ? this.word(at, words.false)
            : this.fail(at);
      case "json":
        return this.any(at);
      case "records":
        return field.records ? this.records(at, field.records) : odd;
      case "never":
        return odd;
    }
  }

  private text(at: number): number {
    const { bytes } = this;
    for (at++; ; at++) {
      while (endsRun[bytes[at] as number] === 0) at++;
      const byte = bytes[at] as number;
      if (byte === quote) return at + 1;
      if (byte !== backslash) return this.fail(at);
      at++;
      if (
        bytes[at] === lowerU &&
        bytes[at + 1] === 0x30 &&
        bytes[at + 2] === 0x30 &&
        bytes[at + 3] === 0x30 &&
        bytes[at + 4] === 0x30
      )
        return odd;
      if (at + 4 >= this.end) return incomplete;
    }
  }

  private integer(start: number, order: Compiled | undefined): number {
    const { bytes } = this;
    let at = bytes[start] === minus ? start + 1 : start;
    const digits = at;
    let value = 0;
    while (isDigit(bytes[at] as number)) value = value * 10 + (bytes[at++] as number) - 0x30;
    const length = at - digits;
    if (at >= this.end) return incomplete;
    if (length === 0) return odd;
    if (length > maximumDigits || (bytes[digits] === 0x30 && (length > 1 || digits > start))) return odd;
    if (order) {
      if (digits > start) value = -value;
      if (value < order.last) order.ordered = false;
      order.last = value;
    }
    return at;
  }

  private number(start: number): number {
    const { bytes } = this;
    let at = bytes[start] === minus ? start + 1 : start;
    const digits = at;
    while (isDigit(bytes[at] as number)) at++;
    if (at === digits) return this.fail(at);
    if (bytes[digits] === 0x30 && (at > digits + 1 || (digits > start && bytes[at] !== dot))) return this.fail(at);
    if (bytes[at] === dot) {
      const fraction = ++at;
      while (isDigit(bytes[at] as number)) at++;
      if (at === fraction) return this.fail(at);
    }
    return at - digits > maximumDigits + 1 ? odd : at;
  }

  /** Any JSON value: its inside is the engine's to judge. */
  private any(at: number): number {
    const { bytes } = this;
    let depth = 0;
    for (;;) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        at = this.text(at);
        if (at < 0) return at;
        if (depth === 0) return at;
        continue;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
      } else if (byte === comma && depth === 0) return at;
      else if (byte === 0) return this.fail(at);
      at++;
      while (structural[bytes[at] as number] === 0) at++;
    }
  }

  private records(at: number, shape: Compiled): number {
    const { bytes } = this;
    if (bytes[at] !== openBracket) return this.fail(at);
    at = this.blank(at + 1);
    if (bytes[at] === closeBracket) return at + 1;
    for (;;) {
      at = this.record(at, shape);
      if (at < 0) return at;
      at = this.blank(at);
      if (bytes[at] === comma) at = this.blank(at + 1);
      else return bytes[at] === closeBracket ? at + 1 : this.fail(at);
    }
  }
}
