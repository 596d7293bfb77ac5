// Finds objects in which a field occurs twice.
import { jsonIn } from "../platform/index.js";
import { ascii } from "./ascii.js";

const { quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket } = ascii;

type FieldKey = string | number;

/** Of an open object so far: none, one or several; null for a list. */
type Names = Set<FieldKey> | FieldKey | undefined | null;

type KeyOf = (bytes: Uint8Array, from: number, to: number) => FieldKey | null;

/** Names are compared by their hashes first: making texts takes three times as long. */
const hashOfName: KeyOf = (bytes, from, to) => {
  let hash = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === backslash) return null;
    hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  }
  return hash;
};

const textOfName: KeyOf = (bytes, from, to) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
  const read = text.includes("\\") ? jsonIn(`"${text}"`) : text;
  return typeof read === "string" ? read : text;
};

/** At any depth: readers differ in which of the two they take. */
export const repeatsField = (bytes: Uint8Array, from: number, to: number): boolean =>
  repeats(bytes, from, to, hashOfName) && repeats(bytes, from, to, textOfName);

function repeats(bytes: Uint8Array, from: number, to: number, keyOf: KeyOf): boolean {
  const open: Names[] = [];
  let isName = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === openBrace || byte === openBracket) {
      isName = byte === openBrace;
      open.push(isName ? undefined : null);
    } else if (byte === closeBrace || byte === closeBracket) open.pop();
    else if (byte === comma) isName = open.at(-1) !== null;
    else if (byte === quote) {
      const begin = ++at;
      while (at < to && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
      if (!isName || open.length === 0) continue;
      isName = false;
      const key = keyOf(bytes, begin, Math.min(at, to));
      const names = open.at(-1);
      if (key === null || (names instanceof Set ? names.has(key) : names === key)) return true;
      if (names instanceof Set) names.add(key);
      else
        open[open.length - 1] = names === undefined || names === null ? key : new Set([names, key]);
    }
  }
  return false;
}
