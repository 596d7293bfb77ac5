/** A published value as leaves: what they say, and which of them nobody has read. */
import { numberIn } from "../../metrics/index.js";
import { isMap } from "../../platform/index.js";
import { isClaim, isInstant, isName } from "./words.js";

interface Leaf {
  readonly path: readonly string[];
  /** Empty in a list. */
  readonly key: string;
  readonly value: string | number | boolean | null | undefined;
}

function* leavesOf(value: unknown, path: readonly string[] = [], key = ""): Generator<Leaf> {
  if (Array.isArray(value)) for (const inner of value as unknown[]) yield* leavesOf(inner, path);
  else if (!isMap(value)) yield { path, key, value: value as Leaf["value"] };
  else
    for (const [name, inner] of Object.entries(value))
      yield* leavesOf(inner, [...path, name], name);
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

/** The same however a number is published; null if it is neither number nor claim. */
function sayingOf({ path, key, value }: Leaf): string | null {
  if (isName(key) || value === null || value === undefined || value === "") return null;
  const name = path.at(-1) ?? "";
  const number = numberIn(value);
  if (number !== undefined) return number >= firstEpoch && isInstant(name) ? null : String(number);
  return isClaim(name) || (typeof value === "string" && holdsNumber(value)) ? String(value) : null;
}

export const sayingsIn = (value: unknown): string[] =>
  Array.from(leavesOf(value), sayingOf).filter((saying) => saying !== null);

export function holdsNumbers(value: unknown): boolean {
  for (const leaf of leavesOf(value)) if (sayingOf(leaf) !== null) return true;
  return false;
}

/** By name. */
export type UnreadCounts = Readonly<Record<string, number>>;

export function countsOf(names: readonly string[]): UnreadCounts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** What is said in `all` and not in `read`. A key in a list stands for any. */
export function unreadIn(
  all: unknown,
  read: unknown,
  nameOf: (path: readonly string[]) => string,
): UnreadCounts {
  const open = new Map<string, number>();
  const add = (id: string, by: number): unknown => open.set(id, (open.get(id) ?? 0) + by);
  for (const leaf of leavesOf(read)) add(`${leaf.key}\0${sayingOf(leaf)}`, 1);
  const unread: string[] = [];
  for (const leaf of leavesOf(all)) {
    const saying = sayingOf(leaf);
    if (saying === null) continue;
    const known = [`${leaf.key}\0${saying}`, `\0${saying}`].find((id) => (open.get(id) ?? 0) > 0);
    if (known === undefined) unread.push(nameOf(leaf.path));
    else add(known, -1);
  }
  return countsOf(unread);
}
