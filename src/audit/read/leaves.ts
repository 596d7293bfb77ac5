/** A published value as leaves: what they say, and which of them nobody has read. */
import { numberIn } from "../../metrics/index.js";
import { isMap } from "../../platform/index.js";
import { isClaim, isInstant, isName } from "./words.js";

interface Saying {
  /** Its path in the file, joined by dots. */
  readonly name: string;
  /** The last of the path; empty in a list that nothing names. */
  readonly key: string;
  /** The same however a number is published. */
  readonly says: string;
}

/** Positions in lists are no part of a path. What identifies something is no list. */
function* sayingsIn(value: unknown, key = "", name = key, isListed = false): Generator<Saying> {
  if (Array.isArray(value))
    for (const inner of value as unknown[]) yield* sayingsIn(inner, key, name, true);
  else if (isMap(value))
    for (const [below, inner] of Object.entries(value))
      yield* sayingsIn(inner, below, name === "" ? below : `${name}.${below}`);
  else if (isListed || !isName(key)) {
    const says = sayingOf(key, value as string | number | boolean | null | undefined);
    if (says !== null) yield { name, key, says };
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
  if (value === null || value === undefined || value === "") return null;
  const number = numberIn(value);
  if (number !== undefined) return number >= firstEpoch && isInstant(key) ? null : String(number);
  return isClaim(key) || (typeof value === "string" && holdsNumber(value)) ? String(value) : null;
}

export const holdsNumbers = (value: unknown): boolean => sayingsIn(value).next().done !== true;

/** The names of what a value says that is called `name`, and `key` in its object. */
export const namesOfSayings = (value: unknown, key: string, name: string): string[] =>
  Array.from(sayingsIn(value, key, name), (saying) => saying.name);

/** The names of what is said in `all` and not in `read`, where a number without a key is any. */
export function unreadIn(all: unknown, read: unknown): string[] {
  const left = new Map<string, number>();
  const add = (id: string, by: number): unknown => left.set(id, (left.get(id) ?? 0) + by);
  for (const { key, says } of sayingsIn(read)) add(`${key}\0${says}`, 1);
  const unread: string[] = [];
  for (const { name, key, says } of sayingsIn(all)) {
    const known = [`${key}\0${says}`, `\0${says}`].find((id) => (left.get(id) ?? 0) > 0);
    if (known === undefined) unread.push(name);
    else add(known, -1);
  }
  return unread;
}
