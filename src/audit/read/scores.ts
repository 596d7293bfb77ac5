/** Published scores as named items with numbers. */
import {
  fieldsOf,
  isCount,
  isKind,
  kinds,
  mainField,
  metricKind,
  numberIn,
} from "../../metrics/index.js";
import { byText, remembered, isMap } from "../../platform/index.js";
import { countsOf, sayingsIn, type UnreadCounts } from "./leaves.js";
import { decimalsOf } from "./precision.js";
import { fieldNamed, isOne, isRank, snakeCase, vocabulary } from "./words.js";

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

export interface PublishedScore {
  readonly identities: readonly Identity[];
  readonly fields: Readonly<Record<string, PublishedNumber>>;
  readonly synonyms: readonly Synonym[];
  readonly rank: number | undefined;
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

/** Of a field that the kind does not define, the name that it has in others. */
export function canonicalField(kind: string, key: string): string | undefined {
  const name = snakeCase(key);
  if (isKind(kind) && fieldsOf(kind).includes(name)) return name;
  const field = fieldNamed(name);
  const { aliases = {} } = isKind(kind) ? metricKind(kind) : {};
  return field === undefined ? undefined : (aliases[field] ?? field);
}

interface KeyMeaning {
  /** Of an unknown kind: any that some kind defines. */
  readonly field: string | undefined;
  /** Whether it may be the only number of its field, and another one. */
  readonly isFirst: boolean;
  readonly isSynonym: boolean;
  readonly order: number;
  /** Of any kind: a text instead of a number says something. */
  readonly isNumber: boolean;
}

const mainFieldOf = (kind: string): string => (isKind(kind) ? mainField(kind) : "value");

const meanings = remembered((kind) =>
  remembered((key): KeyMeaning => {
    const canonical = canonicalField(kind, key);
    const isDefined =
      canonical !== undefined && !(isKind(kind) && !fieldsOf(kind).includes(canonical));
    const main = mainFieldOf(kind);
    const isMain = isOne([kind, ...vocabulary.entry.main], key);
    const rank = [kind, ...vocabulary.entry.main, ...vocabulary.entry.mainAlone].indexOf(
      snakeCase(key),
    );
    const mayBeMain = rank !== -1 && !isCount(kind, main) && (!isDefined || canonical === main);
    return {
      field: isDefined ? canonical : isMain || mayBeMain ? main : undefined,
      isFirst: isDefined || mayBeMain,
      isSynonym: isDefined || isMain,
      // What is defined comes before its synonyms.
      order: mayBeMain ? rank : isDefined ? 100 : 200,
      isNumber: canonical !== undefined || isMain,
    };
  }),
);

/** The parts of an interval, and of an object with numbers, are keys of the entry. */
function keyed(kind: string, entry: Record<string, unknown>): [key: string, value: unknown][] {
  return Object.entries(entry).flatMap(([key, value]) => {
    const isInterval = isOne(vocabulary.entry.interval, key);
    if (isInterval && Array.isArray(value) && value.length === 2)
      return Object.entries({ ci_low: value[0] as unknown, ci_high: value[1] as unknown });
    return isMap(value) && (isInterval || isOne([kind, ...vocabulary.entry.nested], key))
      ? Object.entries(value)
      : [[key, value]];
  });
}

interface Reading {
  readonly kind: string;
  /** Names of what nobody has read, once for each number. */
  readonly unread: string[];
}

function leave({ kind, unread }: Reading, key: string, value: unknown): void {
  const isText = typeof value === "string" && value !== "";
  if (isText && meanings(kind)(key).isNumber) unread.push(key);
  else unread.push(...sayingsIn({ [key]: value }).map(() => key));
}

function readEntry(
  reading: Reading,
  identities: readonly Identity[],
  entry: Record<string, unknown>,
): PublishedScore {
  const meaningOf = meanings(reading.kind);
  const keys = keyed(reading.kind, entry).map(([key, value]) => ({
    ...meaningOf(key),
    key,
    value,
    number: readNumber(value),
  }));
  const fields: Record<string, PublishedNumber> = {};
  const synonyms: Synonym[] = [];
  const ranks: typeof keys = [];
  for (const named of keys.sort((a, b) => a.order - b.order)) {
    const { key, value, number, field = "", isFirst, isSynonym } = named;
    const known = fields[field];
    if (number !== undefined && known === undefined && isFirst) fields[field] = number;
    else if (number !== undefined && known !== undefined && isSynonym)
      synonyms.push({ field, key, published: number, known });
    else if (isRank(key)) ranks.push(named);
    else leave(reading, key, value);
  }
  const [rank] = ranks.map(({ value }) => rankOf(value));
  for (const { key, value } of ranks)
    if (rank === undefined) leave(reading, key, value);
    else if (rankOf(value) !== rank) reading.unread.push(key);
  return { identities, fields, synonyms, rank };
}

function rankOf(value: unknown): number | undefined {
  const [, digits] =
    typeof value === "string" ? (/^[#№]?\s*(\d+)(\.|st|nd|rd|th)?$/i.exec(value.trim()) ?? []) : [];
  return readNumber(digits ?? value)?.value;
}

export const isUpperEnd = (kind: string, key: string): boolean =>
  /^(ci_high|p9\d*)$/.test(canonicalField(kind, key) ?? "");

export const isKnownField = (kind: string, key: string): boolean =>
  isRank(key) ||
  (kind === ""
    ? kinds.some((some) => meanings(some)(key).isSynonym)
    : !isKind(kind) || meanings(kind)(key).isSynonym);

interface Identity {
  readonly key: string;
  readonly name: string;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return undefined;
}

/** In the order of their words; `{stimulus: {id, name}}` counts as both. */
export function identitiesOf(entry: Record<string, unknown>): Identity[] {
  const found: Identity[] = [];
  for (const key of vocabulary.entry.item) {
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
  return Object.entries(byName).flatMap(([name, value]) => {
    const identities = isMap(value) ? identitiesOf(value) : [];
    const items = itemOf(reading, [...identities, { key: "key", name }], value);
    if (items.length === 0) leave(reading, name, value);
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
  const isField = (key: string): boolean => meanings(reading.kind)(key).isNumber;
  return Object.keys(element).every(isField) ? [] : itemsByName(reading, element);
}

/** Leniently (metrics.md, "Published scores"): objects, pairs `[identity, number]`, or a map. */
export function readScores(kind: string, published: unknown): PublishedScores {
  const problems: string[] = [];
  const unread: string[] = [];
  const scores: PublishedScore[] = [];
  const add = (items: readonly PublishedScore[], left: readonly string[], problem: string) => {
    if (items.length === 0) problems.push(problem);
    else unread.push(...left);
    for (const item of items) scores.push(item);
  };
  if (Array.isArray(published)) {
    published.forEach((element, i) => {
      const reading: Reading = { kind, unread: [] };
      add(itemsIn(reading, element), reading.unread, `scores[${i}]: no item with a number`);
    });
  } else if (isMap(published)) {
    const reading: Reading = { kind, unread: [] };
    const items = itemsByName(reading, published);
    add(items, reading.unread, "scores: an object without readable numbers");
  } else problems.push(`scores: expected an array, found ${typeName(published)}`);
  return { scores, problems, unread: countsOf(unread.sort(byText)) };
}

function typeName(value: unknown): string {
  return value === null ? "null" : value === undefined ? "nothing" : typeof value;
}
