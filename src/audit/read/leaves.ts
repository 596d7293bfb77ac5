/** A published value as leaves: names, instants, claims or numbers. */
import { numberIn } from "../../metrics/index.js";
import { remembered, isMap } from "../../platform/index.js";

interface Leaf {
  readonly path: readonly string[];
  readonly key: string;
  readonly value: unknown;
}

function* leavesOf(value: unknown, path: readonly string[] = [], key = ""): Generator<Leaf> {
  if (Array.isArray(value)) for (const inner of value as unknown[]) yield* leavesOf(inner, path);
  else if (!isMap(value)) yield { path, key, value };
  else
    for (const [name, inner] of Object.entries(value))
      yield* leavesOf(inner, [...path, name], name);
}

export const snakeCase = remembered((key) =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase(),
);

/** Keys of the name of a scored item, most specific first. */
export const identityKeys: readonly string[] = [
  "stimulus",
  "stimulus_id",
  "item",
  "name",
  "label",
  "method",
  "condition",
  "id",
  "key",
];

const things = [
  /^(?:stimulus|item|condition|experiment|job|source|leaderboard|rubric|project|dataset)$/,
  /^(?:organization|session|slate|rater|user|metric|result)$/,
];

const isName = remembered((key) => {
  const name = snakeCase(key);
  const [, of = ""] = /^(.+)_(?:ids?|name)$/.exec(name) ?? [];
  return (
    identityKeys.includes(name) ||
    /^(?:ids|(?:display|full|short)_name|version|revision|seed|index)$/.test(name) ||
    things.some((thing) => thing.test(of))
  );
});

const isTime = remembered((key) =>
  /(^|_)(at|date|time)$|^(date|timestamp|created|updated|modified)/.test(snakeCase(key)),
);

const firstEpoch = 1e9;

export const isRank = remembered((key) =>
  ["rank", "ranking", "position", "place"].includes(snakeCase(key)),
);

/** Words in keys whose values say something without a number. */
const claims = [
  /^(?:wins?|winners?|won|best|worst|better|worse|beats?|beaten)$/,
  /^(?:medals?|champion|leader|top|tier|grade|letters?)$/,
  /^(?:significant|significantly|superior|inferior|preferred|favou?rite|outperforms?|dominates?)$/,
];

const isClaim = remembered((key) => {
  const words = snakeCase(key).split("_");
  return isRank(key) || claims.some((claim) => words.some((word) => claim.test(word)));
});

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

type Meaning = "name" | "nothing" | "instant" | "number" | "claim";

/** The first rule that holds decides; what none takes is a word. */
const rules: readonly (readonly [
  Meaning,
  (leaf: Leaf, name: string, number: number | undefined) => boolean,
])[] = [
  ["name", ({ key }) => isName(key)],
  ["nothing", ({ value }) => value === null || value === undefined || value === ""],
  ["instant", (_, name, number) => number !== undefined && number >= firstEpoch && isTime(name)],
  ["number", (_leaf, _name, number) => number !== undefined],
  ["claim", ({ value }, name) => typeof value !== "number" && isClaim(name)],
  ["number", ({ value }) => typeof value === "string" && holdsNumber(value)],
];

/** The same however a number is published; null if it is neither number nor claim. */
function sayingOf(leaf: Leaf): string | null {
  const number = numberIn(leaf.value);
  const [is] = rules.find(([, holds]) => holds(leaf, leaf.path.at(-1) ?? "", number)) ?? [];
  return is === "number" || is === "claim" ? String(number ?? leaf.value) : null;
}

export function holdsNumbers(value: unknown): boolean {
  for (const leaf of leavesOf(value)) if (sayingOf(leaf) !== null) return true;
  return false;
}

export type UnreadCounts = Readonly<Record<string, number>>;

export function countsOf(names: readonly string[]): UnreadCounts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** What is said in `all` and not in `read`, by name. A key in a list stands for any. */
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
