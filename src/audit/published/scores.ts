import { isCount, isKind, mainField, metricKind, numberIn } from "../../metrics/index.js";
import { remembered } from "../../platform/index.js";
import { decimalsOf, decimalsOfText } from "./precision.js";

export interface PublishedNumber {
  readonly value: number;
  readonly decimals: number;
}

/** A number published under another name of a field that is published already. */
export interface Synonym {
  readonly field: string;
  /** The name as published. */
  readonly key: string;
  readonly published: PublishedNumber;
  /** The number that is read for the field. */
  readonly known: PublishedNumber;
}

/** One scored item as published. `rest` holds the fields that have no definition, unchanged. */
export interface PublishedScore {
  readonly identities: readonly Identity[];
  readonly fields: Readonly<Record<string, PublishedNumber>>;
  /** The same fields under other names. */
  readonly synonyms: readonly Synonym[];
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface PublishedScores {
  readonly scores: readonly PublishedScore[];
  /** What could not be read, one line per problem. */
  readonly problems: readonly string[];
}

const intervalKeys = new Set(["ci", "ci95", "interval", "confidence_interval", "credible_interval"]);
const nestedKeys = new Set(["value", "values", "score", "scores", "stats", "result"]);

/** A finite number, or text that is one. */
export function readNumber(value: unknown): PublishedNumber | undefined {
  const number = numberIn(value);
  if (number === undefined) return undefined;
  return { value: number, decimals: typeof value === "string" ? decimalsOfText(value) : decimalsOf(number) };
}

/** Adds the fields of an entry, with those of nested records; a name may come more than once. */
function flatten(kind: string, entry: Record<string, unknown>, add: (key: string, value: unknown) => void): void {
  for (const key of Object.keys(entry)) {
    const value = entry[key];
    const name = typeof value === "object" ? snakeCase(key) : "";
    if (intervalKeys.has(name) && Array.isArray(value) && value.length === 2) {
      add("ci_low", value[0]);
      add("ci_high", value[1]);
    } else if (isRecord(value) && (nestedKeys.has(name) || intervalKeys.has(name) || name === kind))
      for (const [inner, own] of Object.entries(value)) add(inner, own);
    else add(key, value);
  }
}

/** What the key of an entry means. */
interface KeyMeaning {
  /** Recount's name for a field that the kind defines; of an unknown kind, for any field that some kind may define. */
  readonly field: string | undefined;
  /** Place among the keys of the main value, of which the first counts; undefined for the key of another field. */
  readonly mainRank: number | undefined;
  /** Whether it is one of the usual names of the kind's main value, which may then repeat that value. */
  readonly isMain: boolean;
}

const mainFieldOf = (kind: string): string => (isKind(kind) ? mainField(kind) : "value");

/** Kind to key to meaning. Remembered, since every published number is asked for it. */
const meanings = remembered((kind) =>
  remembered((key): KeyMeaning => {
    const canonical = canonicalField(kind, key);
    const isForeign = canonical !== undefined && isKind(kind) && !Object.hasOwn(metricKind(kind).fields, canonical);
    const field = isForeign ? undefined : canonical;
    const rank = [kind, ...mainKeys].indexOf(snakeCase(key));
    const main = mainFieldOf(kind);
    // A number without a name is not a count.
    const mayBeMain = rank !== -1 && !isCount(kind, main) && (field ?? main) === main;
    return { field, mainRank: mayBeMain ? rank : undefined, isMain: isMain(kind, key) };
  }),
);

interface ScoreEntry {
  readonly key: string;
  readonly meaning: KeyMeaning;
  readonly value: unknown;
  readonly number: PublishedNumber | undefined;
}

function readEntry(kind: string, raw: Record<string, unknown>, identities: Identity[]): PublishedScore {
  const meaningOf = meanings(kind);
  const entries: ScoreEntry[] = [];
  flatten(kind, raw, (key, value) => entries.push({ key, meaning: meaningOf(key), value, number: readNumber(value) }));
  const fields: Record<string, PublishedNumber> = {};
  const rest: Record<string, unknown> = {};
  const synonyms: Synonym[] = [];
  const field = mainFieldOf(kind);
  const main = mainOf(entries);
  if (main?.number) fields[field] = main.number;
  // What is defined comes first: the others may be its synonyms.
  for (const isDefined of [true, false]) {
    for (const entry of entries) {
      const { key, meaning, value, number } = entry;
      const { field: name } = meaning;
      if (entry === main || (name !== undefined) !== isDefined) continue;
      const synonymOf = name ?? (meaning.isMain ? field : undefined);
      const known = synonymOf === undefined ? undefined : fields[synonymOf];
      if (number !== undefined && known !== undefined && synonymOf !== undefined) {
        synonyms.push({ field: synonymOf, key, published: number, known });
      } else if (name !== undefined && number !== undefined) fields[name] = number;
      else if (!(identityKeys as readonly string[]).includes(key)) rest[key] = value;
    }
  }
  return { identities, fields, synonyms, rest };
}

/** The main value; a name of another field of the kind (the median of `stats`) is not one. */
function mainOf(entries: readonly ScoreEntry[]): ScoreEntry | undefined {
  let main: ScoreEntry | undefined;
  for (const entry of entries) {
    const rank = entry.meaning.mainRank;
    if (rank === undefined || entry.number === undefined) continue;
    if (rank < (main?.meaning.mainRank ?? Infinity)) main = entry;
  }
  return main;
}

/** Whether a key is one of the usual names of a kind's main value. A median has a definition of its own. */
export const isMain = (kind: string, key: string): boolean => {
  const name = snakeCase(key);
  return name === kind || (name !== "median" && mainKeys.some((main) => main === name));
};

function readKeyed(kind: string, keyed: Record<string, unknown>): PublishedScore[] | undefined {
  const scores: PublishedScore[] = [];
  for (const [key, value] of Object.entries(keyed)) {
    const identities: Identity[] = [{ key: "key", name: key }];
    if (readNumber(value) !== undefined) scores.push(readEntry(kind, { value }, identities));
    else if (isRecord(value)) scores.push(readEntry(kind, value, [...identitiesOf(value), ...identities]));
  }
  return scores.length > 0 ? scores : undefined;
}

function readElement(kind: string, element: unknown): PublishedScore[] | undefined {
  if (Array.isArray(element)) {
    const [name, value] = element as unknown[];
    if (element.length !== 2 || (typeof name !== "string" && typeof name !== "number")) return undefined;
    const identities: Identity[] = [{ key: "pair", name: String(name) }];
    if (readNumber(value) !== undefined) return [readEntry(kind, { value }, identities)];
    return isRecord(value) ? [readEntry(kind, value, identities)] : undefined;
  }
  if (!isRecord(element)) return undefined;
  const identities = identitiesOf(element);
  if (identities.length > 0) return [readEntry(kind, element, identities)];
  const onlyFields = Object.keys(element).every(
    (k) => canonicalField(kind, k) ?? mainKeys.includes(snakeCase(k) as never),
  );
  return onlyFields ? undefined : readKeyed(kind, element);
}

/**
 * Reads published `scores` leniently (metrics.md, "Published scores"): objects with an identity, pairs
 * `[identity, number]`, or objects keyed by identity. Never throws; `problems` lists what it could not read.
 */
export function readScores(kind: string, scores: unknown): PublishedScores {
  const problems: string[] = [];
  if (isRecord(scores)) {
    const keyed = readKeyed(kind, scores);
    return keyed
      ? { scores: keyed, problems }
      : { scores: [], problems: ["scores: an object without readable numbers"] };
  }
  if (!Array.isArray(scores)) return { scores: [], problems: [`scores: expected an array, found ${typeName(scores)}`] };
  const read: PublishedScore[] = [];
  scores.forEach((element: unknown, index) => {
    const entries = readElement(kind, element);
    if (entries === undefined) problems.push(`scores[${index}]: no item with a number`);
    else read.push(...entries);
  });
  return { scores: read, problems };
}

function typeName(value: unknown): string {
  return value === null ? "null" : value === undefined ? "nothing" : typeof value;
}

/** Keys of the main value of an entry after the metric's own name; the first that is present counts. */
const mainKeys = ["value", "score", "rating", "elo", "mean", "percent", "estimate", "median"] as const;

const aliases: Record<string, readonly string[]> = {
  n: ["n", "count", "total", "comparisons", "num_comparisons", "num_ratings", "games", "samples"],
  wins: ["wins", "win", "won", "num_wins"],
  losses: ["losses", "loss", "lost", "num_losses"],
  ties: ["ties", "tie", "draws", "draw", "num_ties"],
  approved: ["approved", "approvals", "num_approved"],
  std: ["std", "sd", "stdev", "stddev", "std_dev", "standard_deviation"],
  sem: ["sem", "se", "stderr", "std_error", "standard_error"],
  ci_low: ["ci_low", "ci_lower", "lower", "low", "ci_lo", "lower_bound"],
  ci_high: ["ci_high", "ci_upper", "upper", "high", "ci_hi", "upper_bound"],
  min: ["min", "minimum"],
  max: ["max", "maximum"],
  q1: ["q1", "first_quartile", "lower_quartile"],
  q3: ["q3", "third_quartile", "upper_quartile"],
  median: ["median", "q2"],
};

const canonicalOf = new Map(Object.entries(aliases).flatMap(([name, keys]) => keys.map((key) => [key, name] as const)));

/** `p2.5`, `p025` and `p_025` are the same quantile; `p5` means 5 %. */
function quantileName(key: string): string | undefined {
  const match = /^p_?(\d{1,3})(?:[._](\d))?$/.exec(key);
  if (match?.[1] === undefined) return undefined;
  const [, whole, tenth] = match;
  if (tenth !== undefined) return `p${whole.padStart(2, "0")}${tenth}`;
  return `p${whole.length === 1 ? whole.padStart(2, "0") : whole}`;
}

/** `meanScore` and `Mean-Score` as `mean_score`. Remembered, since every published number is asked for its name. */
export const snakeCase = remembered((key) =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase(),
);

/** Recount's name for a published field of `kind`; undefined if it defines no such field. */
export function canonicalField(kind: string, key: string): string | undefined {
  const name = snakeCase(key);
  const { fields = {}, aliases: own = {} } = isKind(kind) ? metricKind(kind) : {};
  if (Object.hasOwn(fields, name)) return name;
  const plain = canonicalOf.get(name) ?? quantileName(name);
  return plain === undefined ? undefined : (own[plain] ?? plain);
}

/** Keys of the name of a scored item, most specific first. */
export const identityKeys = [
  "stimulus",
  "stimulus_id",
  "item",
  "name",
  "label",
  "method",
  "condition",
  "id",
  "key",
] as const;

interface Identity {
  readonly key: string;
  readonly name: string;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return undefined;
}

/** Every name of an entry, in the order of `identityKeys`; `{stimulus: {id, name}}` counts as both. */
export function identitiesOf(entry: Record<string, unknown>): Identity[] {
  const found: Identity[] = [];
  for (const key of identityKeys) {
    const value = entry[key];
    const name = nameOf(value);
    if (name !== undefined) found.push({ key, name });
    else if (isRecord(value)) {
      for (const inner of identitiesOf(value)) found.push({ key: `${key}.${inner.key}`, name: inner.name });
    }
  }
  return found;
}

/**
 * The key whose values match the item names of the ratings: the first of whose names the most are known. Null if no
 * entry has a name.
 */
export function bestIdentityKey(
  entries: readonly { readonly identities: readonly Identity[] }[],
  isKnown: (name: string) => boolean,
): string | null {
  const hits = new Map<string, number>();
  for (const { identities } of entries) {
    for (const { key, name } of identities) hits.set(key, (hits.get(key) ?? 0) + (isKnown(name) ? 1 : 0));
  }
  let best: string | null = null;
  for (const [key, count] of hits) if (best === null || count > (hits.get(best) ?? 0)) best = key;
  return best;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What an identifier or a name may be of. */
const things = [
  /^(?:stimulus|item|condition|experiment|job|source|leaderboard|rubric|project|dataset|organization)$/,
  /^(?:session|slate|rater|user|metric|result)$/,
];

/** Keys of what identifies something or a state of it. */
const isName = remembered((key) => {
  const name = snakeCase(key);
  const [, of = ""] = /^(.+)_(?:ids?|name)$/.exec(name) ?? [];
  return (
    (identityKeys as readonly string[]).includes(name) ||
    /^(?:ids|(?:display|full|short)_name|version|revision|seed|index)$/.test(name) ||
    things.some((thing) => thing.test(of))
  );
});

const isTime = remembered((key) =>
  /(^|_)(at|date|time)$|^(date|timestamp|created|updated|modified)/.test(snakeCase(key)),
);

/** The least number that is an instant: seconds since 1970, in 2001. */
const firstEpoch = 1e9;

export const isRank = remembered((key) => ["rank", "ranking", "position", "place"].includes(snakeCase(key)));

/** Words in keys whose values say something about an item without a number. */
const claims = [
  /^(?:wins?|winners?|won|best|worst|better|worse|beats?|beaten|medals?|champion|leader|top|tier|grade|letters?)$/,
  /^(?:significant|significantly|superior|inferior|preferred|favou?rite|outperforms?|dominates?)$/,
];

const isClaim = remembered((key) => {
  const words = snakeCase(key).split("_");
  return isRank(key) || claims.some((claim) => words.some((word) => claim.test(word)));
});

/** Dates, addresses and identifiers within a text: what has digits and is no number. */
const noNumbers = /\d{4}-\d\d(-\d\d)?(T[\d:.Z+-]+)?|^\d\d?:\d\d(:\d\d)?|\w+:\/\/\S+|\S*\d\p{L}+\d\S*/gu;

/** A number of any script, alone, with what belongs to it, or within a sentence; also a Roman one. */
function holdsNumber(text: string): boolean {
  const plain = text.normalize("NFKC").trim().replace(noNumbers, " ");
  return /(?<![\p{L}\p{N}_]|[\p{L}\p{N}][-.])[-+−]?[.,]?\p{N}/u.test(plain) || /^[IVX]{2,}\.?$/.test(plain);
}

/**
 * A number, or a text that holds one, as a text that is the same however the number is published, or what a claim says;
 * otherwise undefined.
 */
function numberText(value: unknown, name: string): string | undefined {
  const number = readNumber(value);
  if (number !== undefined) return isTime(name) && number.value >= firstEpoch ? undefined : String(number.value);
  if (typeof value === "boolean") return isClaim(name) ? String(value) : undefined;
  return typeof value === "string" && value !== "" && (isClaim(name) || holdsNumber(value)) ? value : undefined;
}

/**
 * Calls `see` for each number or claim in a published value, and for each text that holds a number, with the keys that
 * lead to it and its own key ("" in a list). Identities and times are left out.
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
    const text = numberText(value, path.at(-1) ?? "");
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
interface Tally {
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
