/** One published result: the numbers of each item, named as the ratings name it. */
import {
  fieldsOf,
  hasFreeLevel,
  isCount,
  isKind,
  mainField,
  type Kind,
} from "../../metrics/index.js";
import { byText, groupsOf, sumOf } from "../../platform/index.js";
import type { Identity, PublishedNumber, PublishedScore, PublishedScores } from "./scores.js";
import { numericNoise, precisionOf, unrounded, type Precision } from "./precision.js";
import { type ItemNames, noNames } from "./item-names.js";
import type { GroupKey } from "../result.js";

export interface Cell {
  readonly item: string;
  readonly field: string;
  readonly published: PublishedNumber;
}

interface Contrary extends Cell {
  readonly key: string;
  readonly halfWidth: number;
}

export interface PublishedGroup extends GroupKey {
  readonly cells: readonly Cell[];
  readonly precision: Readonly<Record<string, Precision>>;
  readonly options: unknown;
  readonly problems: readonly string[];
  readonly ranks: readonly { readonly item: string; readonly rank: number }[];
  readonly synonyms: readonly Contrary[];
  /** The names of what was not read, once for each number. */
  readonly unread: readonly string[];
  /** Items with a name or identifier of another one too, and what says so. */
  readonly misnamed: ReadonlyMap<string, string>;
  readonly problem: string | null;
  readonly isPartial: boolean;
  /** Of a result that names no kind: the same numbers, read as those of a kind. */
  readonly as?: (kind: Kind) => PublishedGroup;
}

type Naming = Pick<ItemNames, "names" | "itemOfId"> & Partial<Pick<ItemNames, "stimuli">>;

export function groupOf(
  key: GroupKey,
  { scores, problems, unread }: PublishedScores,
  options: unknown,
  known: Naming,
): PublishedGroup {
  const { kind } = key;
  const scored = namedScores(scores, known);
  const all = scored.flatMap(({ numbers }) => numbers.map(({ field }) => field));
  const defined = isKind(kind) ? fieldsOf(kind) : kind === "" ? [...new Set(all)].sort(byText) : [];
  const cells: Cell[] = [];
  const synonyms: Synonym[] = [];
  for (const { item, numbers } of scored)
    for (const number of numbers) {
      const { field, key: name, ...published } = number;
      const known = numbers.find((other) => other.field === field)!;
      if (known !== number) synonyms.push({ item, field, key: name, published, known });
      else if (defined.includes(field)) cells.push({ item, field, published });
    }
  // The order of a list carries no meaning.
  cells.sort(
    (a, b) =>
      byText(a.item, b.item) ||
      defined.indexOf(a.field) - defined.indexOf(b.field) ||
      a.published.value - b.published.value,
  );
  const ranks = scored.flatMap(({ item, rank }) => (rank === undefined ? [] : [{ item, rank }]));
  return {
    ...key,
    cells,
    precision: precisions(kind, cells),
    options,
    problems,
    ranks: ranks.sort((a, b) => byText(a.item, b.item) || a.rank - b.rank),
    synonyms: contraryAmong(kind, synonyms),
    unread,
    misnamed: misnamedAmong(scored, known.stimuli ?? noNames.stimuli),
    problem: null,
    isPartial: false,
  };
}

type NamedScore = PublishedScore & { readonly item: string };

/**
 * By the first key most of whose names are known. An identifier means its stimulus's item, unless
 * an item has that very name or two published identifiers name one item: then each is an item.
 */
function namedScores(scores: readonly PublishedScore[], { names, itemOfId }: Naming): NamedScore[] {
  const hits = new Map<string, number>();
  for (const { key, name } of scores.flatMap(({ identities }) => identities))
    hits.set(key, (hits.get(key) ?? 0) + Number(names.has(name) || itemOfId.has(name)));
  const [best] = [...hits].reduce((a, b) => (b[1] > a[1] ? b : a), ["", -1]);
  const named = scores.flatMap((score) => {
    const { identities } = score;
    const { name } = identities.find(({ key }) => key === best) ?? identities[0] ?? {};
    if (name === undefined) return [];
    return [{ ...score, name, item: names.has(name) ? name : (itemOfId.get(name) ?? name) }];
  });
  const countOf = (key: "name" | "item"): number => new Set(named.map((score) => score[key])).size;
  return countOf("item") === countOf("name")
    ? named
    : named.map((score) => ({ ...score, item: score.name }));
}

/**
 * Items with a name or identifier of another one too, and what says so. An `id` may be a row
 * number: it counts if it mostly agrees with the other names.
 */
function misnamedAmong(
  scores: readonly NamedScore[],
  stimuli: ItemNames["stimuli"],
): Map<string, string> {
  const isContrary = (a: Identity, b: Identity): boolean =>
    ![...stimuli.get(a.name)!].some((id) => stimuli.get(b.name)!.has(id));
  const known = scores.map(({ item, identities }) => ({
    item,
    names: identities.filter(({ name }) => stimuli.has(name)),
  }));
  const agreements = known.map(({ names }) => {
    const id = names.find(({ key }) => key === "id");
    const other = names.find(({ key }) => key !== "id");
    return id === undefined || other === undefined ? 0 : isContrary(id, other) ? -1 : 1;
  });
  const isIdName = sumOf(agreements) > 0;
  const misnamed = new Map<string, string>();
  for (const { item, names } of known) {
    const counting = names.filter(({ key }) => key !== "id" || isIdName);
    const pairs = counting.flatMap((a, i) => counting.slice(i + 1).map((b) => [a, b] as const));
    const [a, b] = pairs.find((pair) => isContrary(...pair)) ?? [];
    if (a && b) misnamed.set(item, `${a.key} says ${a.name}, and ${b.key} says ${b.name}`);
  }
  return misnamed;
}

interface Synonym extends Cell {
  readonly key: string;
  readonly known: PublishedNumber;
}

function contraryAmong(kind: string, synonyms: readonly Synonym[]): Contrary[] {
  const contrary = [...groupsOf(synonyms, ({ key }) => key).values()].flatMap((column) => {
    const [{ field }] = column;
    const isWhole = isCount(kind, field);
    const widthOf = (of: "published" | "known"): number =>
      isWhole ? 0 : precisionOf(column.map((synonym) => synonym[of])).halfWidth;
    const halfWidth = widthOf("published");
    const knownHalfWidth = widthOf("known");
    // Where zero is real, a share and its percentage are one number.
    const isShare = isKind(kind) && !isWhole && !hasFreeLevel(kind);
    return column.flatMap(({ known, ...synonym }) => {
      const published = { value: synonym.published.value, halfWidth };
      const isNear = (by: number): boolean =>
        canBeOne(published, { value: by * known.value, halfWidth: by * knownHalfWidth });
      return (isShare ? [1, 100, 0.01] : [1]).some(isNear) ? [] : [{ ...synonym, halfWidth }];
    });
  });
  return contrary.sort((a, b) => byText(a.item, b.item) || byText(a.key, b.key));
}

export interface Rounded {
  readonly value: number;
  readonly halfWidth: number;
}

/** With the same decimals they must be equal. */
export function canBeOne(a: Rounded, b: Rounded): boolean {
  const isAlike = Math.abs(a.halfWidth - b.halfWidth) <= 1e-6 * a.halfWidth;
  const slack = numericNoise * Math.max(1, Math.abs(a.value), Math.abs(b.value));
  return Math.abs(a.value - b.value) <= (isAlike ? 0 : a.halfWidth + b.halfWidth) + slack;
}

/** A field of whole numbers takes the coarsest precision of the others. */
function precisions(kind: string, cells: readonly Cell[]): Record<string, Precision> {
  const byField = [...groupsOf(cells, ({ field }) => field)].map(([field, column]) => ({
    field,
    isOffset: column.some(({ published: { about } }) => about !== undefined),
    precision: precisionOf(column.map(({ published }) => published)),
  }));
  const [coarsest] = byField
    .filter(({ field, precision }) => !isCount(kind, field) && precision.decimals !== 0)
    .map(({ precision }) => precision)
    .sort((a, b) => b.halfWidth - a.halfWidth);
  return Object.fromEntries(
    byField.map(({ field, precision, isOffset }) => [
      field,
      precision.decimals === 0 && coarsest && !isOffset ? coarsest : precision,
    ]),
  );
}

interface FieldRange {
  readonly low: number;
  readonly high: number;
  readonly numbers: number;
}

export const rangesOf = (cells: readonly Cell[]): ReadonlyMap<string, FieldRange> =>
  new Map(
    [...groupsOf(cells, ({ field }) => field)].map(([field, column]) => {
      const values = Float64Array.from(column, ({ published }) => published.value).sort();
      return [field, { low: values[0]!, high: values.at(-1)!, numbers: values.length }];
    }),
  );

export interface ResultPrecision extends Omit<GroupKey, "experiment_name"> {
  readonly numbers: number;
  /** Of the main field, or that with the most: values between its extremes. */
  readonly distinguishable: number;
}

export function precisionOfResult(group: PublishedGroup): ResultPrecision | null {
  const { experiment_id, kind, dimension, source, published_in, cells } = group;
  const main = isKind(kind) ? mainField(kind) : "";
  const ranges = [...rangesOf(cells)];
  if (ranges.length === 0) return null;
  const mains = ranges.filter(([field]) => field === main);
  const reals = ranges.filter(([field]) => !isCount(kind, field));
  const shown = [mains, reals].find(({ length }) => length > 0) ?? ranges;
  const distinguishable = Math.max(
    ...shown.map(([field, { low, high }]) => cellValues(group, field, low, high)),
  );
  return {
    experiment_id,
    kind,
    dimension,
    source,
    published_in,
    numbers: cells.length,
    distinguishable,
  };
}

function cellValues(
  { kind, precision }: PublishedGroup,
  field: string,
  low: number,
  high: number,
): number {
  const noise = numericNoise * Math.max(1, Math.abs(low), Math.abs(high));
  const width = isCount(kind, field) ? 1 : 2 * (precision[field] ?? unrounded).halfWidth + noise;
  return Math.floor((high > low ? high - low : Math.abs(high)) / width + 1e-6) + 1;
}
