import { remembered } from "../../platform/index.js";
import { identityKeys, isRecord, readNumber, snakeCase } from "./scores.js";

/** Keys of what identifies something, or of a time. */
const isName = remembered((key) => {
  const name = snakeCase(key);
  return (
    (identityKeys as readonly string[]).includes(name) ||
    /(^|_)(ids?|name|at|date|time|version|revision)$|^(date|timestamp|created|updated|modified)|^(seed|index)$/.test(
      name,
    )
  );
});

/** The longest text, and the most letters in it, that is a number with what belongs to it: "12 of 59", "p < 0.05". */
const longest = { text: 40, letters: 12 };

/** A number with a unit, per cent, thousands, a rank sign, or an interval. Identifiers, dates and sentences are not. */
function holdsNumber(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > longest.text || /^\d{4}-\d\d(-\d\d|$)|^\d\d?:\d\d|\d\p{L}+\d/u.test(trimmed)) return false;
  if (!/(^|[\s([<>=≤≥≈~±#№:/–])[-+−]?[.,]?\d/u.test(trimmed)) return false;
  return (trimmed.match(/\p{L}/gu) ?? []).length <= longest.letters;
}

/** A number, or a text that holds one, as a text that is the same however the number is published; otherwise undefined. */
function numberText(value: unknown): string | undefined {
  const number = readNumber(value);
  if (number !== undefined) return String(number.value);
  return typeof value === "string" && holdsNumber(value) ? value : undefined;
}

/**
 * Calls `see` for each number in a published value, and for each text that holds one, with the keys that lead to it and
 * its own key ("" in a list). Identities and times are left out.
 */
export function eachNumber(
  value: unknown,
  see: (text: string, path: readonly string[], key: string) => void,
  path: readonly string[] = [],
  key = "",
): void {
  if (Array.isArray(value)) for (const inner of value as unknown[]) eachNumber(inner, see, path);
  else if (isRecord(value)) {
    for (const [name, inner] of Object.entries(value))
      if (typeof inner === "object" || !isName(name)) eachNumber(inner, see, [...path, name], name);
  } else {
    const text = numberText(value);
    if (text !== undefined) see(text, path, key);
  }
}

/** Whether a value holds a number that is neither an identity nor a time. */
export function holdsNumbers(value: unknown): boolean {
  let isFound = false;
  eachNumber(value, () => (isFound = true));
  return isFound;
}

/** Numbers of one published value, of which some are taken. */
export interface Tally {
  readonly add: (text: string, key?: string) => void;
  /** Whether there was such a number, and no longer is. */
  readonly take: (text: string, key?: string) => boolean;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const idOf = (text: string, key: string): string => `${key}\0${text}`;
  const takeOne = (id: string): boolean => {
    const count = counts.get(id) ?? 0;
    if (count > 0) counts.set(id, count - 1);
    return count > 0;
  };
  return {
    add: (text, key = "") => counts.set(idOf(text, key), (counts.get(idOf(text, key)) ?? 0) + 1),
    take: (text, key = "") => takeOne(idOf(text, key)) || (key !== "" && takeOne(idOf(text, ""))),
  };
}

/** Counts by name: what is published and not read. */
export type UnreadCounts = Readonly<Record<string, number>>;

export function countUnread(each: (see: (name: string) => void) => void): UnreadCounts {
  const counts = new Map<string, number>();
  each((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return Object.fromEntries(counts);
}
