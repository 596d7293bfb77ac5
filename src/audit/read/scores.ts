/** Published scores as named items with numbers. */
import {
  fieldsOf,
  isCount,
  isKind,
  kinds,
  mainField,
  metricKind,
  numberIn,
  type Kind,
} from "../../metrics/index.js";
import { remembered, isMap } from "../../platform/index.js";
import { identityKeys, isRank, snakeCase, unreadIn, type UnreadCounts } from "./leaves.js";
import { decimalsOf } from "./precision.js";

export interface PublishedNumber {
  readonly value: number;
  readonly decimals: number;
}

export interface Synonym {
  readonly field: string;
  readonly key: string;
  readonly published: PublishedNumber;
  readonly known: PublishedNumber;
}

/** `rest`: the fields without a definition. */
export interface PublishedScore {
  readonly identities: readonly Identity[];
  readonly fields: Readonly<Record<string, PublishedNumber>>;
  readonly synonyms: readonly Synonym[];
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface PublishedScores {
  readonly scores: readonly PublishedScore[];
  readonly problems: readonly string[];
  readonly unread: UnreadCounts;
}

export function readNumber(value: unknown): PublishedNumber | undefined {
  const number = numberIn(value);
  if (number === undefined) return undefined;
  return {
    value: number,
    decimals: decimalsOf(typeof value === "string" ? value : number),
  };
}

/** After the metric's own name; the first that is present counts. */
const mainKeys = [
  "value",
  "score",
  "rating",
  "elo",
  "mean",
  "percent",
  "estimate",
  "median",
] as const;

const aliases: Record<string, readonly string[]> = {
  n: ["n", "count", "total", "comparisons", "num_comparisons", "num_ratings", "games", "samples"],
  wins: ["wins", "win", "won", "num_wins"],
  losses: ["losses", "loss", "lost", "num_losses"],
  ties: ["ties", "tie", "draws", "draw", "num_ties"],
  approved: ["approved", "approvals", "num_approved"],
  std: ["std", "sd", "stdev", "stddev", "std_dev", "standard_deviation"],
  sem: ["sem", "se", "stderr", "std_error", "standard_error"],
  ci_low: ["ci_low", "ci_lower", "lower", "low", "ci_lo", "lower_bound", "rating_lower"],
  ci_high: ["ci_high", "ci_upper", "upper", "high", "ci_hi", "upper_bound", "rating_upper"],
  half_width: ["half_width", "ci", "ci95", "ci_95", "moe", "margin_of_error", "plus_minus"],
  min: ["min", "minimum"],
  max: ["max", "maximum"],
  q1: ["q1", "first_quartile", "lower_quartile"],
  q3: ["q3", "third_quartile", "upper_quartile"],
  median: ["median", "q2"],
};

const canonicalOf = new Map(
  Object.entries(aliases).flatMap(([name, keys]) => keys.map((key) => [key, name] as const)),
);

/** `p2.5`, `p025`, `p_025` and `rating_q025` are the same; `p5` means 5 %. */
function quantileName(key: string): string | undefined {
  const match = /^(?:rating_)?[pq]_?(\d{1,3})(?:[._](\d))?$/.exec(key);
  if (match?.[1] === undefined) return undefined;
  const [, whole, tenth] = match;
  if (tenth !== undefined) return `p${whole.padStart(2, "0")}${tenth}`;
  return `p${whole.length === 1 ? whole.padStart(2, "0") : whole}`;
}

/** Undefined if the kind defines no such field. */
export function canonicalField(kind: string, key: string): string | undefined {
  const name = snakeCase(key);
  const { aliases: own = {} } = isKind(kind) ? metricKind(kind) : {};
  if (isKind(kind) && fieldsOf(kind).includes(name)) return name;
  const plain = canonicalOf.get(name) ?? quantileName(name);
  return plain === undefined ? undefined : (own[plain] ?? plain);
}

const intervalKeys = new Set([
  "ci",
  "ci95",
  "interval",
  "confidence_interval",
  "credible_interval",
]);

const nestedKeys = new Set(["value", "values", "score", "scores", "stats", "result"]);

function keyed(kind: string, entry: Record<string, unknown>): [key: string, value: unknown][] {
  return Object.entries(entry).flatMap(([key, value]) => {
    const name = typeof value === "object" ? snakeCase(key) : "";
    const isInterval = intervalKeys.has(name);
    if (isInterval && Array.isArray(value) && value.length === 2)
      return Object.entries({ ci_low: value[0] as unknown, ci_high: value[1] as unknown });
    return isMap(value) && (isInterval || nestedKeys.has(name) || name === kind)
      ? Object.entries(value)
      : [[key, value]];
  });
}

interface KeyMeaning {
  /** Of an unknown kind: any field that some kind defines. */
  readonly field: string | undefined;
  /** Among the keys of the main value; undefined for another field. */
  readonly mainRank: number | undefined;
  readonly isMain: boolean;
}

const mainFieldOf = (kind: string): string => (isKind(kind) ? mainField(kind) : "value");

const meanings = remembered((kind) =>
  remembered((key): KeyMeaning => {
    const canonical = canonicalField(kind, key);
    const isForeign =
      canonical !== undefined && isKind(kind) && !fieldsOf(kind).includes(canonical);
    const field = isForeign ? undefined : canonical;
    const rank = [kind, ...mainKeys].indexOf(snakeCase(key));
    const main = mainFieldOf(kind);
    const mayBeMain = rank !== -1 && !isCount(kind, main) && (field ?? main) === main;
    return { field, mainRank: mayBeMain ? rank : undefined, isMain: isMain(kind, key) };
  }),
);

interface ScoreKey {
  readonly key: string;
  readonly meaning: KeyMeaning;
  readonly value: unknown;
  readonly number: PublishedNumber | undefined;
}

interface Reading {
  readonly kind: string;
  readonly left: Record<string, unknown>[];
}

function readEntry(
  { kind, left }: Reading,
  identities: readonly Identity[],
  entry: Record<string, unknown>,
): PublishedScore {
  const meaningOf = meanings(kind);
  const keys = keyed(kind, entry).map(([key, value]): ScoreKey => {
    return { key, meaning: meaningOf(key), value, number: readNumber(value) };
  });
  const main = mainOf(keys);
  const mainName = mainFieldOf(kind);
  const fields: Record<string, PublishedNumber> = main?.number ? { [mainName]: main.number } : {};
  const synonyms: Synonym[] = [];
  const rest: Record<string, unknown> = {};
  // What is defined comes first: the others may be its synonyms.
  const others = keys.filter((one) => one !== main);
  const defined = others.filter(({ meaning }) => meaning.field !== undefined);
  for (const { key, meaning, value, number } of new Set([...defined, ...others])) {
    const field = meaning.field ?? (meaning.isMain ? mainName : undefined);
    const known = field === undefined ? undefined : fields[field];
    if (field !== undefined && number !== undefined && known !== undefined)
      synonyms.push({ field, key, published: number, known });
    else if (meaning.field !== undefined && number !== undefined) fields[meaning.field] = number;
    else if (identityKeys.includes(key)) left.push({ [key]: value });
    else rest[key] = value;
  }
  return { identities, fields, synonyms, rest };
}

/** A name of another field (the median of `stats`) is not one. */
function mainOf(keys: readonly ScoreKey[]): ScoreKey | undefined {
  const ranked = keys.filter(({ number }) => number !== undefined);
  const rankOf = ({ meaning }: ScoreKey): number => meaning.mainRank ?? Infinity;
  const first = ranked.reduce<ScoreKey | undefined>(
    (a, b) => (a && rankOf(a) <= rankOf(b) ? a : b),
    undefined,
  );
  return first?.meaning.mainRank === undefined ? undefined : first;
}

/** A median has a definition of its own. */
export const isMain = (kind: string, key: string): boolean => {
  const name = snakeCase(key);
  return name === kind || (name !== "median" && mainKeys.some((main) => main === name));
};

export const isUpperEnd = (kind: string, key: string): boolean =>
  /^(ci_high|p9\d*)$/.test(canonicalField(kind, key) ?? "");

export function isKnownField(kind: string, key: string): boolean {
  const isOf = (one: Kind): boolean =>
    isMain(one, key) || fieldsOf(one).includes(canonicalField(one, key) ?? "");
  if (isRank(key)) return true;
  return kind === "" ? kinds.some(isOf) : !isKind(kind) || isOf(kind);
}

interface Identity {
  readonly key: string;
  readonly name: string;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return undefined;
}

/** In the order of `identityKeys`; `{stimulus: {id, name}}` counts as both. */
export function identitiesOf(entry: Record<string, unknown>): Identity[] {
  const found: Identity[] = [];
  for (const key of identityKeys) {
    const value = entry[key];
    const name = nameOf(value);
    if (name !== undefined) found.push({ key, name });
    else if (isMap(value)) {
      for (const inner of identitiesOf(value))
        found.push({ key: `${key}.${inner.key}`, name: inner.name });
    }
  }
  return found;
}

/** The first key most of whose names are known; null if no entry has a name. */
export function bestIdentityKey(
  entries: readonly { readonly identities: readonly Identity[] }[],
  isKnown: (name: string) => boolean,
): string | null {
  const hits = new Map<string, number>();
  for (const { identities } of entries) {
    for (const { key, name } of identities)
      hits.set(key, (hits.get(key) ?? 0) + (isKnown(name) ? 1 : 0));
  }
  let best: string | null = null;
  for (const [key, count] of hits) if (best === null || count > (hits.get(best) ?? 0)) best = key;
  return best;
}

function itemOf(
  reading: Reading,
  identities: readonly Identity[],
  value: unknown,
): PublishedScore[] {
  if (readNumber(value) !== undefined) return [readEntry(reading, identities, { value })];
  return isMap(value) ? [readEntry(reading, identities, value)] : [];
}

function itemsByName(reading: Reading, byName: Record<string, unknown>): PublishedScore[] {
  return Object.entries(byName).flatMap(([key, value]) => {
    const own = isMap(value) ? identitiesOf(value) : [];
    const items = itemOf(reading, [...own, { key: "key", name: key }], value);
    if (items.length === 0) reading.left.push({ [key]: value });
    return items;
  });
}

function itemsIn(reading: Reading, element: unknown): PublishedScore[] {
  if (Array.isArray(element)) {
    const [first, value] = element as unknown[];
    const name = nameOf(first);
    return element.length === 2 && name !== undefined
      ? itemOf(reading, [{ key: "pair", name }], value)
      : [];
  }
  if (!isMap(element)) return [];
  const identities = identitiesOf(element);
  if (identities.length > 0) return [readEntry(reading, identities, element)];
  const isField = (key: string): boolean =>
    canonicalField(reading.kind, key) !== undefined ||
    mainKeys.some((main) => main === snakeCase(key));
  return Object.keys(element).every(isField) ? [] : itemsByName(reading, element);
}

export const nameInScores = (path: readonly string[]): string => path.at(-1) ?? "scores";

/** Leniently (metrics.md, "Published scores"): objects, pairs `[identity, number]`, or a map. */
export function readScores(kind: string, scores: unknown): PublishedScores {
  const reading: Reading = { kind, left: [] };
  const problems: string[] = [];
  const read: PublishedScore[] = [];
  if (Array.isArray(scores)) {
    scores.forEach((element, i) => {
      const items = itemsIn(reading, element);
      if (items.length === 0) problems.push(`scores[${i}]: no item with a number`);
      read.push(...items);
    });
  } else if (isMap(scores)) {
    for (const item of itemsByName(reading, scores)) read.push(item);
    if (read.length === 0) problems.push("scores: an object without readable numbers");
  } else problems.push(`scores: expected an array, found ${typeName(scores)}`);
  const unread = problems.length > 0 ? {} : unreadIn(reading.left, [], nameInScores);
  return { scores: read, problems, unread };
}

function typeName(value: unknown): string {
  return value === null ? "null" : value === undefined ? "nothing" : typeof value;
}
