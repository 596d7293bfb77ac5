// Take byte values and tables into constants of your module: engines fold those, but load imported ones each time.

/** Byte values of JSON. */
export const ascii = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  space: 0x20,
  tab: 0x09,
  newline: 0x0a,
  carriageReturn: 0x0d,
  lowerA: 0x61,
  lowerF: 0x66,
  lowerN: 0x6e,
  lowerT: 0x74,
  lowerU: 0x75,
} as const;
const { quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket, space, tab, newline } = ascii;
const { carriageReturn, lowerA, lowerF } = ascii;

export const isBlank = (byte: number | undefined): boolean =>
  byte === space || byte === newline || byte === carriageReturn || byte === tab;

const tableOf = (matches: (byte: number) => boolean) =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(matches(byte)));

const structural: readonly number[] = [quote, comma, openBrace, closeBrace, openBracket, closeBracket];

/**
 * Letters of NaN, Inf and Infinity in any case, which the engine takes for numbers and JSON does not have: no word of JSON
 * has them, but `false` an a.
 */
const notNumberLetters: readonly number[] = [lowerA, 0x41, 0x4e, 0x49, 0x69];

/** Whether the letter a is that of `false`. */
export const isOfFalse = (byte: number | undefined, before: number | undefined): boolean =>
  byte === lowerA && before === lowerF;

/** What each byte means, by its value: 1 if it is meant. */
export const byteTables = {
  /** Ends a run of text: the quote, the backslash, control characters. */
  endsText: tableOf((byte) => byte < space || byte === quote || byte === backslash),
  /** Matters outside text: what structures a value, control characters other than blanks, and letters of NaN and Infinity. */
  isStructural: tableOf(
    (byte) => structural.includes(byte) || (byte < space && !isBlank(byte)) || notNumberLetters.includes(byte),
  ),
} as const;

/** Largest element that becomes a row, in bytes. */
export const maximumElement = 1 << 24;
