/** One published result: the numbers of each item, named as the ratings name it. */
import {
  fieldsOf,
  isCount,
  isKind,
  metricKind,
  mainField,
  type Kind,
} from "../../metrics/index.js";
import { byText, groupsOf } from "../../platform/index.js";
import {
  bestIdentityKey,
  type PublishedNumber,
  type PublishedScore,
  type PublishedScores,
  type Synonym,
} from "./scores.js";
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
  readonly unreadFields: Readonly<Record<string, number>>;
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
  scores: PublishedScores,
  options: unknown,
  known: Naming,
): PublishedGroup {
  const { kind } = key;
  const scored = namedScores(scores.scores, known);
  const contraryNames = namesThatContradict(scores.scores, known.stimuli ?? noNames.stimuli);
  const named = scored.flatMap(({ fields }) => Object.keys(fields));
  const all: readonly string[] = kind === "" ? [...new Set(named)].sort(byText) : [];
  const defined = isKind(kind) ? fieldsOf(kind) : all;
  const cells = scored.flatMap(({ item, fields }) =>
    defined.flatMap((field): Cell[] =>
      fields[field] ? [{ item, field, published: fields[field] }] : [],
    ),
  );
  // The order of a list carries no meaning.
  const inOrder = (a: Cell, b: Cell): number =>
    byText(a.item, b.item) ||
    defined.indexOf(a.field) - defined.indexOf(b.field) ||
    a.published.value - b.published.value;
  cells.sort(inOrder);
  const ranks = scored.flatMap(({ item, rank }) => (rank === undefined ? [] : [{ item, rank }]));
  const synonyms = scored.flatMap(({ item, synonyms: others }) =>
    others.map((synonym) => ({ item, ...synonym })),
  );
  return {
    ...key,
    cells,
    precision: precisions(kind, defined, cells),
    options,
    problems: scores.problems,
    ranks: ranks.sort((a, b) => byText(a.item, b.item) || a.rank - b.rank),
    synonyms: contraryAmong(kind, synonyms),
    unreadFields: scores.unread,
    misnamed: new Map(
      scored.flatMap((score): [string, string][] => {
        const contrary = contraryNames(score);
        return contrary === null ? [] : [[score.item, contrary]];
      }),
    ),
    problem: null,
    isPartial: false,
  };
}

/**
 * An identifier means its stimulus's item, unless an item has that very name or two published
 * identifiers name one item: then each is a separate item.
 */
function namedScores(
  scores: readonly PublishedScore[],
  { names, itemOfId }: Naming,
): (PublishedScore & { readonly item: string })[] {
  const best = bestIdentityKey(scores, (name) => names.has(name) || itemOfId.has(name));
  const named = scores.flatMap((score) => {
    const { name } = score.identities.find(({ key }) => key === best) ?? score.identities[0] ?? {};
    if (name === undefined) return [];
    return [{ score, name, item: names.has(name) ? name : (itemOfId.get(name) ?? name) }];
  });
  const countOf = (key: "name" | "item"): number => new Set(named.map((score) => score[key])).size;
  const isApart = countOf("item") === countOf("name");
  return named.map(({ score, name, item }) => ({ ...score, item: isApart ? item : name }));
}

/** An `id` may be a row number: it counts if it mostly agrees with the other names. */
function namesThatContradict(
  scores: readonly PublishedScore[],
  stimuli: ItemNames["stimuli"],
): (score: PublishedScore) => string | null {
  const known = ({ identities }: PublishedScore) =>
    identities.flatMap(({ key, name }) => {
      const named = stimuli.get(name);
      return named === undefined ? [] : [{ key, name, named }];
    });
  type Known = ReturnType<typeof known>[number];
  const isContrary = (a: Known, b: Known): boolean => ![...a.named].some((id) => b.named.has(id));
  let agreeing = 0;
  for (const score of scores) {
    const names = known(score);
    const id = names.find(({ key }) => key === "id");
    const other = names.find(({ key }) => key !== "id");
    if (id !== undefined && other !== undefined) agreeing += isContrary(id, other) ? -1 : 1;
  }
  return (score) => {
    if (score.identities.length < 2) return null;
    const names = known(score).filter(({ key }) => key !== "id" || agreeing > 0);
    for (const [i, a] of names.entries()) {
      const b = names.slice(i + 1).find((other) => isContrary(a, other));
      if (b !== undefined) return `${a.key} says ${a.name}, and ${b.key} says ${b.name}`;
    }
    return null;
  };
}

/** Factors of a synonym: where zero is real, a share and its percentage are one number. */
const unitsOfField = (kind: string, field: string): readonly number[] =>
  isKind(kind) && !isCount(kind, field) && metricKind(kind).units === undefined
    ? [1, 100, 0.01]
    : [1];

function contraryAmong(
  kind: string,
  synonyms: readonly (Synonym & { item: string })[],
): Contrary[] {
  const contrary = [...groupsOf(synonyms, ({ key }) => key).values()].flatMap((column) => {
    const [{ key, field }] = column;
    const widthOf = (numbers: readonly PublishedNumber[]): number =>
      isCount(kind, field) ? 0 : precisionOf(numbers).halfWidth;
    const halfWidth = widthOf(column.map(({ published }) => published));
    const knownHalfWidth = widthOf(column.map(({ known }) => known));
    return column.flatMap(({ item, published, known }) => {
      const isNear = (by: number): boolean =>
        canBeOne(
          { value: published.value, halfWidth },
          { value: by * known.value, halfWidth: by * knownHalfWidth },
        );
      return unitsOfField(kind, field).some(isNear)
        ? []
        : [{ item, key, field, published, halfWidth }];
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

/** A field that happens to show only whole numbers takes the coarsest precision of the others. */
function precisions(
  kind: string,
  fields: readonly string[],
  cells: readonly Cell[],
): Record<string, Precision> {
  const byField = fields.flatMap((field) => {
    const numbers = cells.filter((cell) => cell.field === field).map(({ published }) => published);
    return numbers.length > 0 ? [{ field, precision: precisionOf(numbers) }] : [];
  });
  const shown = byField.filter(
    ({ field, precision }) => !isCount(kind, field) && precision.decimals !== 0,
  );
  const [first, ...others] = shown.map(({ precision }) => precision);
  const coarsest = others.reduce((a, b) => (a && a.halfWidth >= b.halfWidth ? a : b), first);
  const taken = (precision: Precision): Precision =>
    precision.decimals === 0 && coarsest ? coarsest : precision;
  return Object.fromEntries(byField.map(({ field, precision }) => [field, taken(precision)]));
}

interface FieldRange {
  low: number;
  high: number;
  numbers: number;
}

export function rangesOf(cells: readonly Cell[]): ReadonlyMap<string, Readonly<FieldRange>> {
  const ranges = new Map<string, FieldRange>();
  for (const { field, published } of cells) {
    const { value } = published;
    const known = ranges.get(field);
    if (known === undefined) ranges.set(field, { low: value, high: value, numbers: 1 });
    else {
      known.low = Math.min(known.low, value);
      known.high = Math.max(known.high, value);
      known.numbers++;
    }
  }
  return ranges;
}

export interface ResultPrecision extends Omit<GroupKey, "experiment_name"> {
  readonly numbers: number;
  /** Of the main field, otherwise of the field with the most: values between its extremes. */
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
