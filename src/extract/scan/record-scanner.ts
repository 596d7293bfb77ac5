import type { FieldShape, Shape } from "./shape.js";

/** The bytes end inside the value. */
export const incomplete = -1;
/** The value is not as its shape says, or not clearly so. */
export const odd = -2;

const [quote, backslash, comma, colon, minus, dot] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2e];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [lowerF, lowerN, lowerT, lowerU] = [0x66, 0x6e, 0x74, 0x75];
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

/** Text to compare with, four bytes at a time and then the rest one by one. */
interface Word {
  readonly length: number;
  readonly fours: Int32Array;
  readonly rest: Uint8Array;
}

function wordOf(text: string): Word {
  const bytes = new Uint8Array(Buffer.from(text));
  const view = new DataView(bytes.buffer);
  const fours = Int32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getInt32(4 * i, true));
  return { length: bytes.length, fours, rest: bytes.slice(4 * fours.length) };
}

const words = { null: wordOf("null"), true: wordOf("true"), false: wordOf("false") };
/** Bytes that a buffer must have beyond its end, so that a comparison may look there. */
export const slack = 128;
/** Digits that are exact as a double, as a 64-bit integer, and in every reader alike. */
const maximumDigits = 15;

/** 1 for the bytes at which a walk through text stops: the quote, the backslash, control characters. */
const endsRun = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte < 0x20 || byte === quote || byte === backslash));
/** 1 for the bytes that matter outside text. */
const structural = Uint8Array.from({ length: 256 }, (_, byte) => Number([0, quote, comma, openBrace, closeBrace, openBracket, closeBracket].includes(byte)));

interface Field extends Omit<FieldShape, "records"> {
  /** The name's bytes and its closing quote. */
  readonly key: Word;
  readonly records: Compiled | undefined;
}

interface Compiled {
  readonly table: string;
  readonly fields: readonly Field[];
  /** Field that followed each field last time; the first stands at 0. */
  readonly next: Uint8Array;
  /** Bit of the field by which the rows are in order; 0 where there is none. */
  readonly orderBit: number;
  last: number;
  ordered: boolean;
}

function compile({ table, fields }: Shape): Compiled {
  const compiled = fields.map((field) => ({ ...field, key: wordOf(`${field.name}"`), records: field.records && compile(field.records) }));
  const next = Uint8Array.from({ length: fields.length + 1 }, (_, i) => i % fields.length);
  const order = fields.findIndex(({ isOrder }) => isOrder);
  return { table, fields: compiled, next, orderBit: order < 0 ? 0 : 1 << order, last: -Infinity, ordered: order >= 0 };
}

/**
 * Walks over records in a buffer without building anything and judges each against a shape: known fields only, each at most
 * once, values of the kinds that the typed reader of the engine takes exactly. Whatever is in doubt is `odd`.
 */
export class RecordScanner {
  private bytes: Uint8Array = new Uint8Array(slack);
  private view = new DataView(this.bytes.buffer);
  private end = 0;
  private readonly shape: Compiled;

  constructor(shape: Shape) {
    this.shape = compile(shape);
  }

  /** The bytes to walk over; those from `end` on do not count, and the first of them is 0. */
  look(bytes: Uint8Array<ArrayBuffer>, end: number): void {
    if (bytes !== this.bytes) this.view = new DataView(bytes.buffer);
    this.bytes = bytes;
    this.end = end;
  }

  /** Tables whose rows came in order. */
  ordered(): string[] {
    const nested = this.shape.fields.flatMap(({ records }) => (records?.ordered ? [records.table] : []));
    return this.shape.ordered ? [this.shape.table, ...nested] : nested;
  }

  /** Position after the blanks at `at`. */
  blank(at: number): number {
    const { bytes } = this;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
    return at;
  }

  /** Position after the record at `at`, or `incomplete` or `odd`. */
  record(at: number, shape = this.shape): number {
    const { bytes } = this;
    const { fields, next } = shape;
    if (bytes[at] !== openBrace) return this.fail(at);
    at = this.blank(at + 1);
    let seen = 0;
    let before = 0;
    if (bytes[at] === closeBrace) return this.closed(at, seen, shape);
    for (;;) {
      if (bytes[at] !== quote) return this.fail(at);
      const index = this.fieldAt(at + 1, fields, next[before] as number);
      if (index < 0) return index;
      if ((seen & (1 << index)) !== 0) return odd;
      seen |= 1 << index;
      next[before] = index;
      before = index + 1;
      const field = fields[index] as Field;
      at = this.blank(at + 1 + field.key.length);
      if (bytes[at] !== colon) return this.fail(at);
      at = this.value(this.blank(at + 1), field, shape);
      if (at < 0) return at;
      at = this.blank(at);
      if (bytes[at] === comma) at = this.blank(at + 1);
      else return bytes[at] === closeBrace ? this.closed(at, seen, shape) : this.fail(at);
    }
  }

  private closed(at: number, seen: number, shape: Compiled): number {
    if ((seen & shape.orderBit) !== shape.orderBit) shape.ordered = false;
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

  private fieldAt(at: number, fields: readonly Field[], guess: number): number {
    if (this.matches(at, (fields[guess] as Field).key)) return guess;
    const index = fields.findIndex(({ key }) => this.matches(at, key));
    if (index >= 0) return index;
    return at + 64 > this.end ? incomplete : odd;
  }

  private value(at: number, field: Field, shape: Compiled): number {
    const first = this.bytes[at] as number;
    if (first === lowerN) {
      if (field.isOrder) shape.ordered = false;
      return this.word(at, words.null);
    }
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
        return first === lowerT ? this.word(at, words.true) : first === lowerF ? this.word(at, words.false) : this.fail(at);
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
      if (bytes[at] === lowerU && bytes[at + 1] === 0x30 && bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30 && bytes[at + 4] === 0x30) return odd;
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
