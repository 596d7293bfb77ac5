/** The sets of numbers in one element of a published list. */
import type { PublishedList as List } from "../../contract/index.js";
import { isKind, kinds } from "../../metrics/index.js";
import { cached, isMap } from "../../platform/index.js";
import { holdsNumbers, unreadIn } from "./leaves.js";
import { identitiesOf } from "./scores.js";
import { isOne, snakeCase, vocabulary } from "./words.js";

export interface PublishedRecord {
  readonly list: List;
  readonly published_in: string;
  readonly kind: string;
  readonly dimension: string | null;
  readonly refs: References;
  readonly scores: unknown;
  readonly options: unknown;
  readonly isEntry: boolean;
  /** The names of what its element says in no record, once for each number. */
  readonly unread: readonly string[];
}

export interface References {
  readonly home: string | null;
  readonly sources: readonly string[];
  readonly experiments: readonly string[];
  readonly jobs: readonly string[];
  readonly leaderboards: readonly string[];
}

export interface ListedElement {
  readonly list: List;
  readonly home: string | null;
  readonly id: string;
}

type Raw = Readonly<Record<string, unknown>>;

const {
  scores: scoreWords,
  options: optionWords,
  records: nests,
  item,
  ...about
} = vocabulary.record;

/** Empty for a leaderboard or rubric without numbers. */
export function readRecords(listed: ListedElement, raw: Raw): PublishedRecord[] {
  const found = within(placeOf(listed), raw, 0);
  if (isBoard(listed)) return found.filter(({ scores }) => holdsNumbers(scores));
  return found.length > 0 ? found : [recordOf(placeOf(listed), raw, undefined)];
}

/** Numbers of experiments that are only named: some may be missing. */
export const isBoard = ({ list }: Pick<ListedElement, "list">): boolean =>
  list === "leaderboards" || list === "rubrics";

/** To the first record, or to one without scores. Numbers in options are read elsewhere. */
export function withUnread(
  listed: ListedElement,
  raw: Raw,
  records: readonly PublishedRecord[],
): PublishedRecord[] {
  const all = Object.fromEntries(
    Object.entries(raw).filter(([key]) => !Object.values(about).some((some) => isOne(some, key))),
  );
  const read = records.map(({ scores, options }) => [scores, options]);
  const unread = unreadIn(all, read);
  if (unread.length === 0) return [...records];
  const [first = recordOf(placeOf(listed), raw, undefined), ...others] = records;
  return [{ ...first, unread }, ...others];
}

type Place = Pick<PublishedRecord, "list" | "published_in"> & Pick<References, "home">;

function placeOf({ list, home, id }: ListedElement): Place {
  const named = {
    rubrics: `rubric ${id}`,
    leaderboards: `leaderboard ${id}`,
    results: list,
    metrics: list,
  };
  return { list, home, published_in: named[list] };
}

function recordOf({ list, home, published_in }: Place, raw: Raw, scores: unknown): PublishedRecord {
  const ids = (role: "sources" | "experiments" | "jobs" | "leaderboards"): string[] => [
    ...new Set(idsOf(fieldIn(raw, about[role]))),
  ];
  return {
    list,
    published_in,
    kind: kindOf(raw),
    dimension: textIn(raw, about.dimension),
    refs: {
      home,
      sources: ids("sources"),
      experiments: ids("experiments"),
      jobs: ids("jobs"),
      leaderboards: ids("leaderboards"),
    },
    scores,
    options: fieldIn(raw, optionWords) ?? {},
    isEntry: false,
    unread: [],
  };
}

const deepestNest = 3;

function within(place: Place, raw: Raw, depth: number): PublishedRecord[] {
  const scores = scoresIn(raw);
  if (scores !== undefined && !isNest(scores)) return byKind(recordOf(place, raw, scores));
  const inner = depth < deepestNest ? nests.flatMap((key) => nested(place, raw, key, depth)) : [];
  return inner.length > 0 ? inner : flat(place, raw);
}

const isNest = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((inner) => isMap(inner) && scoresIn(inner) !== undefined && kindOf(inner) !== "");

function nested(place: Place, raw: Raw, key: string, depth: number): PublishedRecord[] {
  const value = raw[key];
  const inherited = without(raw, [key, "id", "name"]);
  return (Array.isArray(value) ? value.filter(isMap) : []).flatMap((inner) => {
    const [board] = idsOf(inner.id);
    const isNamed = key === "leaderboards" && board !== undefined;
    const published_in = isNamed
      ? `${place.published_in}, leaderboard ${board}`
      : place.published_in;
    return within({ ...place, published_in }, { ...inherited, ...inner }, depth + 1);
  });
}

/** `{kind, source, stimulus, value}`. */
function flat(place: Place, raw: Raw): PublishedRecord[] {
  const entry = without(raw, ["id", "name", "kind", "metric", "source"]);
  if (identitiesOf(entry).length === 0 || !holdsNumbers([entry])) return [];
  return [{ ...recordOf(place, raw, [entry]), isEntry: true }];
}

const without = (raw: Raw, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(raw).filter(([key]) => !keys.includes(key)));

/** Keyed by kind, or in columns named after kinds. */
function byKind(record: PublishedRecord): PublishedRecord[] {
  const { scores } = record;
  if (record.kind !== "") return [record];
  const parts = isMap(scores)
    ? keyedByKind(scores)
    : Array.isArray(scores)
      ? columnsByKind(scores)
      : [];
  return parts.length > 0 ? parts.map((part) => ({ ...record, ...part })) : [record];
}

type KindScores = Pick<PublishedRecord, "kind" | "scores">;

const keyedByKind = (byName: Raw): KindScores[] =>
  Object.entries(byName)
    .map(([key, scores]) => ({ kind: snakeCase(key), scores }))
    .filter(({ kind, scores }) => isKind(kind) && typeof scores === "object" && scores !== null);

function columnsByKind(list: readonly unknown[]): KindScores[] {
  const entries = list.filter(isMap).map((entry) => Object.entries(entry));
  return kinds.flatMap((kind) => {
    const ofKind = entries.filter((entry) => entry.some(([key]) => snakeCase(key) === kind));
    const isOwn = ([key]: [string, unknown]): boolean =>
      snakeCase(key) === kind || !isKind(snakeCase(key));
    return ofKind.length === 0
      ? []
      : [{ kind, scores: ofKind.map((entry) => Object.fromEntries(entry.filter(isOwn))) }];
  });
}

/** By name, what is not null; of several spellings the first. */
const presentIn = cached(
  (raw: Raw) =>
    new Map(
      Object.entries(raw)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([key, value]) => [snakeCase(key), value] as const)
        .reverse(),
    ),
);

function fieldIn(raw: Raw, keys: readonly string[]): unknown {
  const present = presentIn(raw);
  return present.get(keys.find((key) => present.has(key)) ?? "");
}

function textIn(raw: Raw, keys: readonly string[]): string | null {
  const value = fieldIn(raw, keys);
  if (isMap(value)) return textIn(value, ["name", "kind", "id"]);
  return typeof value === "string" ? value : null;
}

/** A known kind in Recount's spelling, any other as published. */
export const kindNamed = (text: string): string =>
  isKind(snakeCase(text)) ? snakeCase(text) : text;

/** "" if there is none. A `type` or `name` counts only if it is a metric. */
function kindOf(raw: Raw): string {
  const others = about.kindOrName.map((key) => textIn(raw, [key]) ?? "");
  return kindNamed(textIn(raw, about.kind) ?? others.find((text) => isKind(snakeCase(text))) ?? "");
}

/** A text with commas, a number, an object with an `id`, or a list of those. */
export function idsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsOf);
  if (isMap(value)) return idsOf(value.id ?? value.name);
  const texts =
    typeof value === "string" ? value.split(",") : typeof value === "number" ? [String(value)] : [];
  return texts.map((id) => id.trim()).filter((id) => id !== "");
}

function scoresIn(raw: Raw): unknown {
  const found = scoreWords.map((key) => fieldIn(raw, [key])).filter((value) => value !== undefined);
  const whole = found.find((value) => typeof value === "object");
  return whole ?? (fieldIn(raw, item) === undefined ? found[0] : undefined);
}
