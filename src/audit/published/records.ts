import type { PublishedList as List } from "../../contract/index.js";
import { isKind, kinds } from "../../metrics/index.js";
import {
  countUnread,
  createTally,
  eachNumber,
  holdsNumbers,
  type UnreadCounts,
  snakeCase,
  identitiesOf,
  isRecord,
  identityKeys,
} from "./scores.js";
import { cached } from "../../platform/index.js";

/** One set of numbers as published in a list: of one kind, dimension and source. */
export interface PublishedRecord {
  readonly published_in: string;
  readonly kind: string;
  /** Null if the record has none. */
  readonly dimension: string | null;
  readonly refs: References;
  readonly scores: unknown;
  readonly options: unknown;
  /** True for a record that holds one of several scores. */
  readonly isEntry: boolean;
  /** Numbers of its element that belong to no record, by field. */
  readonly unread: UnreadCounts;
}

/** Fields of a record that may hold further records. */
const nests = ["leaderboards", "results", "metrics", "boards", "tables"];

/** The sets of numbers in one element of a list, read leniently. Empty for a leaderboard or rubric without numbers. */
export function readRecords(
  list: List,
  home: string | null,
  id: string,
  raw: Record<string, unknown>,
): PublishedRecord[] {
  const isBoard = list === "leaderboards" || list === "rubrics";
  const place = list === "rubrics" ? `rubric ${id}` : list === "leaderboards" ? `leaderboard ${id}` : list;
  const found = within(place, home, raw, 0);
  if (isBoard) return found.filter(({ scores }) => holdsNumbers(scores));
  return found.length > 0 ? found : [recordOf(place, home, raw, undefined)];
}

const referenceKeys = ["source", "sources", "experiment", "experiments", "job", "jobs", "leaderboard"];
const kindKeys = ["kind", "metric", "metric_kind", "metric_name", "type", "dimension"];

/**
 * Adds the numbers of an element that are in none of its records to the first one. An element without records that has
 * numbers is a record without scores.
 */
export function withUnread(
  list: List,
  home: string | null,
  id: string,
  raw: Record<string, unknown>,
  records: readonly PublishedRecord[],
): PublishedRecord[] {
  const read = createTally();
  for (const { scores, options } of records) {
    eachNumber(scores, (text, _, key) => read.add(text, key));
    // Numbers in the options are the concern of who reads the conventions there.
    eachNumber(options, (text, _, key) => read.add(text, key));
  }
  const skipped = new Set([...referenceKeys, ...kindKeys]);
  const rest = Object.fromEntries(Object.entries(raw).filter(([key]) => !skipped.has(snakeCase(key))));
  const unread = countUnread((see) => {
    eachNumber(rest, (text, [first = "", second], key) => {
      if (read.take(text, key)) return;
      const isInside = second !== undefined && [...scoreKeys, ...nests].includes(snakeCase(first));
      see(isInside ? `${first}.${second}` : first);
    });
  });
  if (Object.keys(unread).length === 0) return [...records];
  const place = list === "rubrics" ? `rubric ${id}` : list === "leaderboards" ? `leaderboard ${id}` : list;
  const [first = recordOf(place, home, raw, undefined), ...others] = records;
  return [{ ...first, unread }, ...others];
}

function recordOf(
  published_in: string,
  home: string | null,
  raw: Record<string, unknown>,
  scores: unknown,
): PublishedRecord {
  return {
    published_in,
    kind: kindOf(raw),
    dimension: textIn(raw, ["dimension"]),
    refs: referencesOf(home, raw),
    scores,
    options: optionsOf(raw),
    isEntry: false,
    unread: {},
  };
}

function within(place: string, home: string | null, raw: Record<string, unknown>, depth: number): PublishedRecord[] {
  const scores = scoresIn(raw);
  if (scores !== undefined && !isNest(scores)) return split(recordOf(place, home, raw, scores));
  const inner = nests.flatMap((key) => nested(place, home, raw, key, depth));
  return inner.length > 0 ? inner : flat(place, home, raw);
}

/** True for a list of records that each have their own scores. */
function isNest(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((v) => isRecord(v) && scoresIn(v) !== undefined && kindOf(v) !== "")
  );
}

function nested(
  place: string,
  home: string | null,
  raw: Record<string, unknown>,
  key: string,
  depth: number,
): PublishedRecord[] {
  const value = raw[key];
  if (!Array.isArray(value) || depth > 2) return [];
  return (value as unknown[]).filter(isRecord).flatMap((inner) => {
    const [own] = idsOf(inner.id);
    const innerPlace = key === "leaderboards" && own !== undefined ? `${place}, leaderboard ${own}` : place;
    const inherited = Object.fromEntries(
      Object.entries(raw).filter(([name]) => name !== key && name !== "id" && name !== "name"),
    );
    return within(innerPlace, home, { ...inherited, ...inner }, depth + 1);
  });
}

/** A record that is itself one score: `{kind, source, stimulus, value}`. */
function flat(place: string, home: string | null, raw: Record<string, unknown>): PublishedRecord[] {
  const entry = Object.fromEntries(
    Object.entries(raw).filter(([key]) => !["id", "name", "kind", "metric", "source"].includes(key)),
  );
  if (identitiesOf(entry).length === 0 || !holdsNumbers([entry])) return [];
  return [{ ...recordOf(place, home, raw, [entry]), isEntry: true }];
}

/** Scores that hold several kinds, keyed by kind or in columns named after kinds, as one record each. */
function split(record: PublishedRecord): PublishedRecord[] {
  const { scores } = record;
  if (isRecord(scores)) {
    const isKeyed = ([key, value]: [string, unknown]): boolean =>
      isKind(snakeCase(key)) && typeof value === "object" && value !== null;
    const keyed = Object.entries(scores).filter(isKeyed);
    if (keyed.length > 0 && record.kind === "")
      return keyed.map(([key, own]) => ({ ...record, kind: snakeCase(key), scores: own }));
  }
  if (record.kind !== "" || !Array.isArray(scores)) return [record];
  const entries = (scores as unknown[]).filter(isRecord);
  const columns = new Set(entries.flatMap(Object.keys).map(snakeCase));
  const own = kinds.filter((kind) => columns.has(kind));
  if (own.length === 0) return [record];
  return own.map((kind) => ({
    ...record,
    kind,
    scores: entries
      .map((entry) =>
        Object.fromEntries(Object.entries(entry).filter(([key]) => snakeCase(key) === kind || !isKind(snakeCase(key)))),
      )
      .filter((entry) => Object.keys(entry).some((key) => snakeCase(key) === kind)),
  }));
}

/** The identifiers in a record that say what its numbers are about. */
export interface References {
  /** The experiment whose results were listed; null for the lists of a project. */
  readonly home: string | null;
  readonly sources: readonly string[];
  readonly experiments: readonly string[];
  readonly jobs: readonly string[];
  readonly leaderboards: readonly string[];
}

/** Keys of a record's numbers, most usual first. */
const scoreKeys = [
  "scores",
  "values",
  "entries",
  "rows",
  "items",
  "ranking",
  "standings",
  "results",
  "data",
  "score",
  "value",
];
const optionKeys = ["options", "parameters", "settings", "conventions"];

/** What is present in a record and not null, by name; of several spellings of a name the first. */
const presentIn = cached((raw: Record<string, unknown>) => {
  const present = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    const name = snakeCase(key);
    if (value !== null && value !== undefined && !present.has(name)) present.set(name, value);
  }
  return present;
});

/** The value of the first of `keys` that is present and not null, in any spelling. */
function fieldIn(raw: Record<string, unknown>, keys: readonly string[]): unknown {
  const present = presentIn(raw);
  const found = keys.find((key) => present.has(key));
  return found === undefined ? undefined : present.get(found);
}

function textIn(raw: Record<string, unknown>, keys: readonly string[]): string | null {
  const value = fieldIn(raw, keys);
  if (isRecord(value)) return textIn(value, ["name", "kind", "id"]);
  return typeof value === "string" ? value : null;
}

/** A known kind in Recount's spelling, any other as published. */
export function kindNamed(text: string): string {
  return isKind(snakeCase(text)) ? snakeCase(text) : text;
}

/** The metric of a record, or "". A `type` or `name` counts only if it is a metric. */
function kindOf(raw: Record<string, unknown>): string {
  const named = textIn(raw, ["kind", "metric", "metric_kind", "metric_name"]);
  if (named !== null) return kindNamed(named);
  const [other] = ["type", "name"]
    .map((key) => textIn(raw, [key]))
    .filter((text) => text !== null && isKind(snakeCase(text)));
  return kindNamed(other ?? "");
}

/** Identifiers in a text with commas, a number, an object with an `id`, or a list of those. */
export function idsOf(value: unknown): string[] {
  if (typeof value === "string")
    return value
      .split(",")
      .map((id) => id.trim())
      .filter((id) => id !== "");
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return (value as unknown[]).flatMap(idsOf);
  return isRecord(value) ? idsOf(value.id ?? value.name) : [];
}

function referencesOf(home: string | null, raw: Record<string, unknown>): References {
  const ids = (...keys: string[]): string[] => [...new Set(idsOf(fieldIn(raw, keys)))];
  return {
    home,
    sources: ids("source", "sources", "source_id", "source_ids"),
    experiments: ids("experiment_id", "experiment_ids", "experiments", "experiment"),
    jobs: ids("job_id", "job_ids", "jobs", "job"),
    leaderboards: ids("leaderboard_id", "leaderboard"),
  };
}

function optionsOf(raw: Record<string, unknown>): unknown {
  return fieldIn(raw, optionKeys) ?? {};
}

/** The value of a key of numbers: a list or an object if there is one, otherwise a single number. */
function scoresIn(raw: Record<string, unknown>): unknown {
  const found = scoreKeys.map((key) => fieldIn(raw, [key])).filter((value) => value !== undefined);
  return found.find((value) => typeof value === "object") ?? (hasItem(raw) ? undefined : found[0]);
}

const hasItem = (raw: Record<string, unknown>): boolean =>
  fieldIn(
    raw,
    identityKeys.filter((key) => !["id", "name", "key", "label"].includes(key)),
  ) !== undefined;
