/** Text for people: escaped, counted, listed, and in pieces. */

/** Characters that move the cursor, colour, end a line or turn the direction of text. */
// eslint-disable-next-line no-control-regex -- these are the characters to find
const control = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const escapedControl = (character: string) =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Control characters are escaped as in JSON, so a name cannot forge a line. */
export function visible(text: string): string {
  return isPlain(text) ? text : text.replace(control, escapedControl);
}

export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  // Nothing is made for what stays the same: an audit has hundreds of thousands of rows.
  if (Array.isArray(value)) {
    const elements = value as readonly unknown[];
    let changed: unknown[] | undefined;
    for (let i = 0; i < elements.length; i++) {
      const element = mapTexts(elements[i], change);
      if (element !== elements[i]) (changed ??= [...elements])[i] = element;
    }
    return (changed ?? value) as T;
  }
  const fields = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const own = fields[name];
    const field = mapTexts(own, change);
    if (field === own) continue;
    copy ??= { ...fields };
    // Not assigned: a field may be `__proto__`.
    Object.defineProperty(copy, name, {
      value: field,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return (copy ?? value) as T;
}

/** Undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOrJson = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

export const textOrNull = (value: unknown): string | null =>
  typeof value === "string" ? value : null;

export const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

export const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export const joinParts = (
  parts: readonly (string | false | null | undefined)[],
  between = ", ",
): string => parts.filter(Boolean).join(between);

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

/** `a, b and 4 more`. */
export function firstFew(words: readonly string[], most: number): string {
  if (words.length <= most) return listed(words);
  const shown = words.slice(0, most - 1);
  return listed([...shown, `${words.length - shown.length} more`]);
}

export interface First<T> {
  readonly shown: readonly T[];
  readonly more: number;
  readonly note: readonly string[];
}

export function firstOf<T>(all: readonly T[], limit: number): First<T> {
  const more = Math.max(0, all.length - limit);
  return { shown: all.slice(0, limit), more, note: more === 0 ? [] : [`… and ${more} more`] };
}

export function firstLines(lines: readonly string[], limit: number): string[] {
  const { shown, note } = firstOf(lines, limit);
  return [...shown, ...note];
}

export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 number`, `2 numbers`, `5,896 numbers`. */
export function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before?.[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((last?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}

/** ` Did you mean X?`, or nothing if more than a third of the letters differ. */
export function didYouMean(mistyped: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, steps: distance(mistyped.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.round(name.length / 3)))
    .sort((x, y) => x.steps - y.steps);
  return near[0] === undefined ? "" : ` Did you mean ${near[0].name}?`;
}

/** By code unit, independent of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const placesOfPublication = ["results", "metrics", "leaderboard", "rubric"];

export function byPlace(a: string, b: string): number {
  const rank = (place: string): number => placesOfPublication.findIndex((p) => place.startsWith(p));
  return rank(a) - rank(b) || byText(a, b);
}

export const sqlText = (value: string) => `'${value.replaceAll("'", "''")}'`;

const elementsAtOnce = 1000;

/** A string holds at most 536 million characters. */
export function* textPieces<T>(
  list: readonly T[],
  textOf: (elements: readonly T[], from: number) => string,
) {
  for (let from = 0; from < list.length; from += elementsAtOnce)
    yield textOf(list.slice(from, from + elementsAtOnce), from);
}

/** As `JSON.stringify(value, null, 2)`. */
export function* jsonPieces(value: unknown, margin = "\n"): Generator<string> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    const elements = (some: readonly unknown[]) =>
      JSON.stringify(some, null, 2).slice(1, -2).replaceAll("\n", margin);
    yield* textPieces(value, (some, from) => `${from === 0 ? "[" : ","}${elements(some)}`);
    yield `${margin}]`;
  } else {
    let before = "{";
    for (const [name, own] of Object.entries(value)) {
      if (own === undefined) continue;
      yield `${before}${margin}  ${JSON.stringify(name)}: `;
      yield* jsonPieces(own, `${margin}  `);
      before = ",";
    }
    yield before === "{" ? "{}" : `${margin}}`;
  }
}
