// Byte values of JSON. Copy into constants of your module: engines load imported ones each time.

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
