import type { PublishedList as List } from "../../contract/index.js";
import { isKind, kinds } from "../../metrics/index.js";
import { snakeCase } from "./fields.js";
import {
  idsOf,
  kindOf,
  leftIn,
  numbersIn,
  optionsOf,
  referencesOf,
  scoresIn,
  textIn,
  type References,
} from "./record-fields.js";
import { identitiesOf } from "./identity.js";
import { isRecord } from "./record.js";

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
  /** Fields with numbers that are not read. */
  readonly unread: readonly string[];
}

export { publishedLists as lists, type PublishedList as List } from "../../contract/index.js";

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
  if (isBoard) return found.filter(({ scores }) => numbersIn(scores));
  return found.length > 0 ? found : [recordOf(place, home, raw, undefined)];
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
    unread: scores === undefined ? [] : leftIn(raw, scores),
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
  if (identitiesOf(entry).length === 0 || !numbersIn([entry])) return [];
  return [{ ...recordOf(place, home, raw, [entry]), isEntry: true, unread: [] }];
}

/** Scores that hold several kinds, keyed by kind or in columns named after kinds, as one record each. */
function split(record: PublishedRecord): PublishedRecord[] {
  const { scores } = record;
  if (isRecord(scores)) {
    const isKeyed = ([key, value]: [string, unknown]): boolean =>
      isKind(snakeCase(key)) && typeof value === "object" && value !== null;
    const keyed = Object.entries(scores).filter(isKeyed);
    const others = Object.entries(scores).filter((entry) => !isKeyed(entry) && numbersIn(Object.fromEntries([entry])));
    const unread = [...record.unread, ...others.map(([key]) => key)];
    if (keyed.length > 0 && record.kind === "")
      return keyed.map(([key, own]) => ({ ...record, unread, kind: snakeCase(key), scores: own }));
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
