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
import { remembered, isMap } from "../../platform/index.js";
import { namesOfSayings } from "./leaves.js";
import { decimalsOf } from "./precision.js";
import { fieldNamed, isOne, isRank, snakeCase, vocabulary } from "./words.js";

export interface PublishedNumber {
  readonly value: number;
  readonly decimals: number;
  /** Of an offset: the number that it is added to. */
  readonly about?: number;
}

/** Of several numbers of one field, the first is the field's; the others are its synonyms. */
export interface NamedNumber extends PublishedNumber {
  readonly field: string;
  readonly key: string;
}

export interface PublishedScore {
  readonly identities: readonly Identity[];
  readonly numbers: readonly NamedNumber[];
  readonly rank: number | undefined;
}

export interface PublishedScores {
  readonly scores: readonly PublishedScore[];
  readonly problems: readonly string[];
  /** The names of what nobody has read, once for each number. */
  readonly unread: readonly string[];
}

/** `1021 +7` is 1028, as an offset. */
export function readNumber(value: unknown): PublishedNumber | undefined {
  const text = typeof value === "string" ? value : "";
  const [, about, by] = /^(\S+) ([+-]\S+)$/.exec(text) ?? [];
  const [base, number] = [numberIn(about), numberIn(by ?? value)];
  if (number === undefined) return undefined;
  const decimals = decimalsOf(by ?? (text || number));
  if (base === undefined) return { value: number, decimals };
  const sum = (base + number).toFixed(Math.max(decimals, decimalsOf(base)));
  return { value: Number(sum), decimals, about: base };
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

interface Keyed {
  /** Its path in the entry. */
  readonly name: string;
  readonly key: string;
  readonly value: unknown;
}

/** The parts of an interval, and of an object with numbers, are keys of the entry. */
function keyed(kind: string, entry: Record<string, unknown>): Keyed[] {
  return Object.entries(entry).flatMap(([name, value]): Keyed[] => {
    const isInterval = isOne(vocabulary.entry.interval, name);
    if (isInterval && Array.isArray(value) && value.length === 2) {
      const [low, high] = value as unknown[];
      return [
        { name, key: "ci_low", value: low },
        { name, key: "ci_high", value: high },
      ];
    }
    return isMap(value) && (isInterval || isOne([kind, ...vocabulary.entry.nested], name))
      ? Object.entries(value).map(([key, inner]) => ({ name: `${name}.${key}`, key, value: inner }))
      : [{ name, key: name, value }];
  });
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

export interface Identity {
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

/** Leniently (metrics.md, "Published scores"): objects, pairs `[identity, number]`, or a map. */
export function readScores(kind: string, published: unknown): PublishedScores {
  const meaningOf = meanings(kind);
  const scores: PublishedScore[] = [];
  const problems: string[] = [];
  const unread: string[] = [];
  const read = (itemsOf: () => readonly PublishedScore[], problem: string): void => {
    const before = unread.length;
    const items = itemsOf();
    if (items.length === 0) {
      problems.push(problem);
      unread.length = before;
    }
    for (const item of items) scores.push(item);
  };
  if (Array.isArray(published))
    published.forEach((element: unknown, i) => {
      read(() => itemsIn(element), `scores[${i}]: no item with a number`);
    });
  else if (isMap(published))
    read(() => itemsByName(published), "scores: an object without readable numbers");
  else problems.push(`scores: expected an array, found ${typeName(published)}`);
  return { scores, problems, unread };

  function itemsIn(element: unknown): PublishedScore[] {
    if (Array.isArray(element)) {
      const [first, value] = element as unknown[];
      const name = nameOf(first);
      const isPair = element.length === 2 && name !== undefined;
      return isPair ? itemOf([{ key: "pair", name }], value) : [];
    }
    if (!isMap(element)) return [];
    const identities = identitiesOf(element);
    if (identities.length > 0) return [readEntry(identities, element)];
    const isEntry = Object.keys(element).every((key) => meaningOf(key).isNumber);
    return isEntry ? [] : itemsByName(element);
  }

  function itemsByName(byName: Record<string, unknown>): PublishedScore[] {
    return Object.entries(byName).flatMap(([name, value]) => {
      const identities = isMap(value) ? identitiesOf(value) : [];
      const items = itemOf([...identities, { key: "key", name }], value);
      if (items.length === 0) leave({ name, key: name, value });
      return items;
    });
  }

  function itemOf(identities: readonly Identity[], value: unknown): PublishedScore[] {
    if (readNumber(value) !== undefined) return [readEntry(identities, { value })];
    return isMap(value) ? [readEntry(identities, value)] : [];
  }

  function readEntry(
    identities: readonly Identity[],
    entry: Record<string, unknown>,
  ): PublishedScore {
    const numbers: NamedNumber[] = [];
    const ranks: Keyed[] = [];
    const parts = keyed(kind, entry).sort(
      (a, b) => meaningOf(a.key).order - meaningOf(b.key).order,
    );
    for (const part of parts) {
      const { key, value } = part;
      const { field, isFirst, isSynonym } = meaningOf(key);
      const number = field === undefined ? undefined : readNumber(value);
      const isKnown = numbers.some((known) => known.field === field);
      if (field !== undefined && number !== undefined && (isKnown ? isSynonym : isFirst))
        numbers.push({ field, key, ...number });
      else if (isRank(key)) ranks.push(part);
      else leave(part);
    }
    const [rank] = ranks.map(({ value }) => rankOf(value));
    for (const part of ranks)
      if (rank === undefined) leave(part);
      else if (rankOf(part.value) !== rank) unread.push(part.name);
    return { identities, numbers, rank };
  }

  function leave({ name, key, value }: Keyed): void {
    const isText = typeof value === "string" && value !== "";
    if (isText && meaningOf(key).isNumber) unread.push(name);
    else unread.push(...namesOfSayings(value, key, name));
  }
}

const typeName = (value: unknown): string =>
  value === null ? "null" : value === undefined ? "nothing" : typeof value;
