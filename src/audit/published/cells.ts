import { fieldsOf, isCount, isKind, metricKind, mainField, type Kind } from "../../metrics/index.js";
import { byText, remembered } from "../../platform/index.js";
import {
  canonicalField,
  isRank,
  bestIdentityKey,
  isMain,
  readNumber,
  type PublishedNumber,
  type PublishedScore,
  type PublishedScores,
  type Synonym,
  countUnread,
  createTally,
  eachNumber,
  holdsNumbers,
  type UnreadCounts,
} from "./scores.js";
import { numericNoise, precisionOf, unrounded, type Precision } from "./precision.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";
import { itemName } from "../ratings/rating-columns.js";

/** Identifies a set of numbers published together. */
export interface GroupKey {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: string;
  readonly dimension: string;
  /** Empty for the whole experiment, otherwise a job, or several separated by commas. */
  readonly source: string;
  /** `results`, `metrics`, `leaderboard <id>`, `rubric <id>`; `results of <experiment>` if they are of another one. */
  readonly published_in: string;
}

export interface Cell {
  readonly item: string;
  readonly field: string;
  readonly published: PublishedNumber;
}

/** A number that contradicts its field under another name. */
interface Contrary extends Cell {
  /** The other name, as published. */
  readonly key: string;
  readonly halfWidth: number;
}

/** A published result, ready for comparison. */
export interface PublishedGroup extends GroupKey {
  readonly cells: readonly Cell[];
  /** By field: all numbers of a field are rounded in the same way. */
  readonly precision: Readonly<Record<string, Precision>>;
  readonly options: unknown;
  readonly problems: readonly string[];
  /** Ranks as published, with the item that each belongs to. */
  readonly ranks: readonly { readonly item: string; readonly rank: number }[];
  /** Fields that are published again under another name, with another value. */
  readonly synonyms: readonly Contrary[];
  /** Published names without a definition, with the number of items that have them. */
  readonly unreadFields: Readonly<Record<string, number>>;
  /** Items that are published with the name or identifier of another one too, and what says so. */
  readonly misnamed: ReadonlyMap<string, string>;
  /** Why the subject of the numbers could not be determined, or null. */
  readonly problem: string | null;
  /** True if items may be missing: a leaderboard may show only the best. */
  readonly isPartial: boolean;
  /** Of a result that names no kind: the same numbers, read as those of a kind. */
  readonly as?: (kind: Kind) => PublishedGroup;
}

type Naming = Pick<ItemNames, "names" | "itemOfId"> & Partial<Pick<ItemNames, "stimuli">>;

/** Gives each entry the item name that the ratings use, and keeps the fields that `kind` defines. */
export function groupOf(key: GroupKey, scores: PublishedScores, options: unknown, known: Naming): PublishedGroup {
  const identityKey = bestIdentityKey(scores.scores, (name) => known.names.has(name) || known.itemOfId.has(name));
  const defined: readonly string[] = isKind(key.kind) ? fieldsOf(key.kind) : [];
  const ranks: { item: string; rank: number }[] = [];
  const synonyms: (Synonym & { item: string })[] = [];
  const unread = new Map<string, number>();
  const named = scores.scores.flatMap((score) => {
    const { name } = score.identities.find((i) => i.key === identityKey) ?? score.identities[0] ?? {};
    return name === undefined ? [] : [{ score, name }];
  });
  const itemOf = itemsNamed(
    named.map(({ name }) => name),
    known,
  );
  const misnamed = new Map<string, string>();
  const contraryNames = namesThatContradict(scores.scores, known.stimuli ?? noNames.stimuli);
  const byItem = new Map<string, PublishedScore[]>();
  for (const { score, name } of named) {
    const item = itemOf(name);
    const contrary = contraryNames(score);
    if (contrary !== null) misnamed.set(item, contrary);
    const same = byItem.get(item);
    if (same === undefined) byItem.set(item, [score]);
    else same.push(score);
    synonyms.push(...score.synonyms.map((synonym) => ({ item, ...synonym })));
    const rest = Object.entries(score.rest);
    const rank = rankIn(rest);
    for (const [field, value] of rest) {
      const isRead = isRank(field) && rank !== undefined ? rankOf(value) === rank : !saysNumber(key.kind, field, value);
      if (!isRead) unread.set(field, (unread.get(field) ?? 0) + 1);
    }
    if (rank !== undefined) ranks.push({ item, rank });
  }
  // The order of a list carries no meaning: the same numbers make the same group in any order.
  const cells: Cell[] = [];
  for (const [item, own] of [...byItem].sort(([a], [b]) => byText(a, b))) {
    for (const field of defined) {
      const from = cells.length;
      for (const { fields } of own) {
        const published = fields[field];
        if (published !== undefined) cells.push({ item, field, published });
      }
      if (cells.length > from + 1)
        cells.push(...cells.splice(from).sort((a, b) => a.published.value - b.published.value));
    }
  }
  ranks.sort((a, b) => byText(a.item, b.item) || a.rank - b.rank);
  return {
    ...key,
    cells,
    precision: precisions(key.kind, defined, cells),
    options,
    problems: scores.problems,
    ranks,
    synonyms: contraryAmong(key.kind, synonyms),
    unreadFields: Object.fromEntries([...unread].sort(([a], [b]) => byText(a, b))),
    misnamed,
    problem: null,
    isPartial: false,
  };
}

/**
 * What an entry says if two of its names are those of different stimuli. An `id` may also be the number of a row: it counts
 * only if it agrees with the other names more often than not.
 */
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

/** Whether a field holds numbers, or has the name of one that it should hold. */
function saysNumber(kind: string, field: string, value: unknown): boolean {
  return (typeof value === "string" && value !== "" && namesNumber(kind)(field)) || holdsNumbers({ [field]: value });
}

/** Kind to field to whether it is the name of a number. */
const namesNumber = remembered((kind) =>
  remembered((field) => canonicalField(kind, field) !== undefined || isMain(kind, field)),
);

/** What a synonym may be multiplied by: a share and its percentage are one number. Counts and ratings have one unit. */
function unitsOf(kind: string, field: string): readonly number[] {
  if (!isKind(kind) || isCount(kind, field)) return [1];
  const { hypotheses, inUse } = metricKind(kind);
  const hasPercent = hypotheses.some(({ axis }) => axis === "scale") || inUse?.scale?.includes(0.01) === true;
  return hasPercent ? [1, 100, 0.01] : [1];
}

/** Synonyms that cannot be roundings of the field's own numbers, in one unit or as share and percentage. */
function contraryAmong(kind: string, synonyms: readonly (Synonym & { item: string })[]): Contrary[] {
  const contrary = synonyms.flatMap((synonym) => {
    const { item, key, field, published, known } = synonym;
    const column = synonyms.filter((other) => other.key === key);
    const widthOf = (numbers: readonly PublishedNumber[]): number =>
      isCount(kind, field) ? 0 : precisionOf(numbers).halfWidth;
    const halfWidth = widthOf(column.map((other) => other.published));
    const own = widthOf(column.map((other) => other.known));
    const isNear = (by: number): boolean =>
      canBeOne({ value: published.value, halfWidth }, { value: by * known.value, halfWidth: by * own });
    return unitsOf(kind, field).some(isNear) ? [] : [{ item, key, field, published, halfWidth }];
  });
  return contrary.sort((a, b) => byText(a.item, b.item) || byText(a.key, b.key));
}

/** A published number and how far from it the number before rounding may be. */
export interface Rounded {
  readonly value: number;
  readonly halfWidth: number;
}

/** Whether two published numbers can be one number. With the same decimals they must be equal. */
export function canBeOne(a: Rounded, b: Rounded): boolean {
  const isAlike = Math.abs(a.halfWidth - b.halfWidth) <= 1e-6 * a.halfWidth;
  const slack = numericNoise * Math.max(1, Math.abs(a.value), Math.abs(b.value));
  return Math.abs(a.value - b.value) <= (isAlike ? 0 : a.halfWidth + b.halfWidth) + slack;
}

function rankIn(rest: readonly (readonly [string, unknown])[]): number | undefined {
  const found = rest.find(([key]) => isRank(key));
  return found === undefined ? undefined : rankOf(found[1]);
}

/** A rank as a number, or as `#1`, `1.` or `1st`. */
function rankOf(value: unknown): number | undefined {
  const [, digits] = typeof value === "string" ? (/^[#№]?\s*(\d+)(\.|st|nd|rd|th)?$/i.exec(value.trim()) ?? []) : [];
  return readNumber(digits ?? value)?.value;
}

/** Numbers in published scores that no entry has, by the name of their field. */
export function unreadScores(scores: unknown, { scores: read, problems }: PublishedScores): UnreadCounts {
  // An element that could not be read is a problem of its own.
  if (problems.length > 0) return {};
  const tally = createTally();
  for (const { identities, fields, synonyms, rest } of read) {
    for (const { value } of Object.values(fields)) tally.add(String(value));
    for (const { published } of synonyms) tally.add(String(published.value));
    for (const { key, name } of identities) if (key === "pair") eachNumber(name, (text) => tally.add(text));
    eachNumber(rest, (text) => tally.add(text));
  }
  return countUnread((see) =>
    eachNumber(scores, (text, path) => {
      if (!tally.take(text)) see(path.at(-1) ?? "scores");
    }),
  );
}

/**
 * The identifier of a stimulus names its item, unless an item has that very name or two published identifiers name the
 * same item: then each is a separate item.
 */
function itemsNamed(published: readonly string[], { names, itemOfId }: Naming): (name: string) => string {
  const items = new Map(published.map((name) => [name, names.has(name) ? name : (itemOfId.get(name) ?? name)]));
  const isApart = new Set(items.values()).size === items.size;
  return (name) => (isApart ? (items.get(name) ?? name) : name);
}

/**
 * Precision by field. Fields published together have the same rounding, so a field that happens to show only whole
 * numbers (a minimum on a scale of integers) takes the coarsest precision of the others.
 */
function precisions(kind: string, fields: readonly string[], cells: readonly Cell[]): Record<string, Precision> {
  const numbers = new Map<string, PublishedNumber[]>(fields.map((field) => [field, []]));
  for (const { field, published } of cells) numbers.get(field)?.push(published);
  const own = new Map<string, Precision>();
  for (const [field, published] of numbers) if (published.length > 0) own.set(field, precisionOf(published));
  const shown = [...own].filter(([field, p]) => !isCount(kind, field) && p.decimals !== 0).map(([, p]) => p);
  const coarsest = shown.reduce<Precision | undefined>((a, b) => (a && a.halfWidth >= b.halfWidth ? a : b), undefined);
  return Object.fromEntries([...own].map(([field, p]) => [field, p.decimals === 0 && coarsest ? coarsest : p]));
}

/** The names that published scores may use for the items of one experiment. */
export interface ItemNames {
  /** Stimulus names, and item names under the run's and every other item key. */
  readonly names: ReadonlySet<string>;
  /** Item of each stimulus identifier that names exactly one item. */
  readonly itemOfId: ReadonlyMap<string, string>;
  /** The identifiers of the stimuli that a name or an identifier means. */
  readonly stimuli: ReadonlyMap<string, ReadonlySet<string>>;
  /** Dimensions of the ratings, sorted. */
  readonly dimensions: readonly string[];
}

export const noNames: ItemNames = { names: new Set(), itemOfId: new Map(), stimuli: new Map(), dimensions: [] };

export async function readItemNames(warehouse: Warehouse): Promise<Map<string, ItemNames>> {
  const rows = await warehouse.all(
    "select experiment_id, cast(stimulus_id as varchar) as id, stimulus, item_of(stimulus) as item, dimension from key_stimuli order by all",
  );
  interface Known {
    readonly items: Map<string, Set<string>>;
    readonly stimuli: Map<string, Set<string>>;
    readonly names: Set<string>;
    readonly dimensions: Set<string>;
  }
  const byExperiment = new Map<string, Known>();
  const addTo = (sets: Map<string, Set<string>>, key: string, value: string): void => {
    sets.set(key, (sets.get(key) ?? new Set<string>()).add(value));
  };
  for (const row of rows) {
    const experiment = textOf(row, "experiment_id");
    const own: Known = byExperiment.get(experiment) ?? {
      items: new Map(),
      stimuli: new Map(),
      names: new Set(),
      dimensions: new Set(),
    };
    byExperiment.set(experiment, own);
    const id = textOf(row, "id");
    const item = textOf(row, "item");
    own.dimensions.add(textOf(row, "dimension"));
    addTo(own.items, id, item);
    addTo(own.stimuli, id, id);
    const stimulus = { id: "", name: textOf(row, "stimulus"), item: "" };
    for (const name of [
      item,
      ...(["stimulus", "condition", "source"] as const).map((key) => itemName(stimulus, key)),
    ]) {
      own.names.add(name);
      addTo(own.stimuli, name, id);
    }
  }
  return new Map(
    [...byExperiment].map(([experiment, { names, items, stimuli, dimensions }]) => {
      const single = [...items].flatMap(([id, [item, ...more]]) =>
        item !== undefined && more.length === 0 ? [[id, item] as const] : [],
      );
      return [experiment, { names, itemOfId: new Map(single), stimuli, dimensions: [...dimensions].sort(byText) }];
    }),
  );
}

interface FieldRange {
  low: number;
  high: number;
  numbers: number;
}

/** The lowest and the highest number of each field, and how many there are. */
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

/** How much the numbers of one published result can show. */
export interface ResultPrecision extends Omit<GroupKey, "experiment_name"> {
  readonly numbers: number;
  /**
   * Values of the main field, from its lowest to its highest, that the published decimals tell apart; without it, of
   * the field with the most.
   */
  readonly distinguishable: number;
}

export function precisionOfResult(group: PublishedGroup): ResultPrecision | null {
  const { experiment_id, kind, dimension, source, published_in, cells } = group;
  const main = isKind(kind) ? mainField(kind) : "";
  const ranges = [...rangesOf(cells)];
  if (ranges.length === 0) return null;
  const mains = ranges.filter(([field]) => field === main);
  const reals = ranges.filter(([field]) => !isCount(kind, field));
  const [shown] = [mains, reals, ranges].filter(({ length }) => length > 0);
  const distinguishable = Math.max(...(shown ?? []).map(([field, { low, high }]) => valuesOf(group, field, low, high)));
  return { experiment_id, kind, dimension, source, published_in, numbers: cells.length, distinguishable };
}

function valuesOf({ kind, precision }: PublishedGroup, field: string, low: number, high: number): number {
  const noise = numericNoise * Math.max(1, Math.abs(low), Math.abs(high));
  const width = isCount(kind, field) ? 1 : 2 * (precision[field] ?? unrounded).halfWidth + noise;
  return Math.floor((high > low ? high - low : Math.abs(high)) / width + 1e-6) + 1;
}
