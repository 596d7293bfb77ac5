/** A published value as leaves: what they say, and which of them nobody has read. */
import { numberIn } from "../../metrics/index.js";
import { isMap, keyOf } from "../../platform/index.js";
import { isClaim, isInstant, isName } from "./words.js";

interface Saying {
  /** Its path in the file, joined by dots. */
  readonly name: string;
  /** The last of the path; empty in a list that nothing names. */
  readonly key: string;
  /** The same however a number is published. */
  readonly says: string;
}

/** Positions in lists are no part of a path. */
function* sayingsIn(value: unknown, path: readonly string[] = []): Generator<Saying> {
  if (Array.isArray(value)) for (const inner of value as unknown[]) yield* sayingsIn(inner, path);
  else if (isMap(value))
    for (const [key, inner] of Object.entries(value)) yield* sayingsIn(inner, [...path, key]);
  else {
    const key = path.at(-1) ?? "";
    const says = sayingOf(key, value as string | number | boolean | null | undefined);
    if (says !== null) yield { name: path.join("."), key, says };
  }
}

const firstEpoch = 1e9;

/** Dates, addresses and identifiers. */
const noNumbers =
  /\d{4}-\d\d(-\d\d)?(T[\d:.Z+-]+)?|^\d\d?:\d\d(:\d\d)?|\w+:\/\/\S+|\S*\d\p{L}+\d\S*/gu;

/** A number of any script, alone or within a sentence; also a Roman one. */
function holdsNumber(text: string): boolean {
  const plain = text.normalize("NFKC").trim().replace(noNumbers, " ");
  return (
    /(?<![\p{L}\p{N}_]|[\p{L}\p{N}][-.])[-+−]?[.,]?\p{N}/u.test(plain) ||
    /^[IVX]{2,}\.?$/.test(plain)
  );
}

/** Null if it is neither number nor claim. */
function sayingOf(key: string, value: string | number | boolean | null | undefined): string | null {
  if (isName(key) || value === null || value === undefined || value === "") return null;
  const number = numberIn(value);
  if (number !== undefined) return number >= firstEpoch && isInstant(key) ? null : String(number);
  return isClaim(key) || (typeof value === "string" && holdsNumber(value)) ? String(value) : null;
}

export const holdsNumbers = (value: unknown): boolean => sayingsIn(value).next().done !== true;

/** The names of what a value at `path` says. */
export const namesOfSayings = (value: unknown, path: readonly string[]): string[] =>
  Array.from(sayingsIn(value, path), ({ name }) => name);

/** The names of what is said in `all` and not in `read`, where a number without a key is any. */
export function unreadIn(all: unknown, read: unknown): string[] {
  const left = new Map<string, number>();
  const add = (id: string, by: number): unknown => left.set(id, (left.get(id) ?? 0) + by);
  for (const { key, says } of sayingsIn(read)) add(keyOf(key, says), 1);
  const unread: string[] = [];
  for (const { name, key, says } of sayingsIn(all)) {
    const known = [keyOf(key, says), keyOf("", says)].find((id) => (left.get(id) ?? 0) > 0);
    if (known === undefined) unread.push(name);
    else add(known, -1);
  }
  return unread;
}
