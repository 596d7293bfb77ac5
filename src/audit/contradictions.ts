/** Numbers that are published in several places, with values that cannot both hold. */
import { resultKey } from "./result-key.js";
import type { ComparedNumber } from "./compare.js";
import { groupsOf } from "../platform/index.js";
import { judge } from "./judge.js";
import { isPassing } from "./verdict.js";
import { type Cell, type GroupKey, type PublishedGroup, canBeOne } from "./published/cells.js";
import { unrounded } from "./published/precision.js";

export interface Contradiction extends Omit<GroupKey, "published_in"> {
  readonly item: string;
  readonly field: string;
  /** True if the places state different options. */
  readonly is_stated: boolean;
  readonly published: readonly { readonly published_in: string; readonly value: number }[];
}

/** Numbers of one item, field and result that cannot be roundings of one number. */
export function contradictionsAmong(all: readonly PublishedGroup[]): Contradiction[] {
  const groups = all.filter(({ problem }) => problem === null);
  const [first] = groups;
  if (first === undefined || isSaidOnce(groups)) return [];
  const { experiment_id, experiment_name, kind, dimension, source } = first;
  const said = [...groups.flatMap(cellsIn), ...groups.flatMap(synonymsIn)];
  return [...groupsOf(said, ({ item, field }) => JSON.stringify([item, field])).values()]
    .filter((same) => same.some((a) => same.some((b) => !canBeOne(a, b))))
    .map((same) => ({
      ...{ experiment_id, experiment_name, kind, dimension, source },
      item: same[0].item,
      field: same[0].field,
      is_stated:
        new Set(same.map(({ options }) => options).filter((options) => options !== "{}")).size > 1,
      published: same.map(({ published_in, value }) => ({ published_in, value })),
    }));
}

function cellsIn({ cells, precision, published_in, options: stated }: PublishedGroup) {
  const options = JSON.stringify(stated);
  return cells.map(({ item, field, published: { value } }) => {
    const { halfWidth } = precision[field] ?? unrounded;
    return { item, field, published_in, value, halfWidth, options };
  });
}

function synonymsIn({ synonyms, published_in, options: stated }: PublishedGroup) {
  const options = JSON.stringify(stated);
  return synonyms.map(({ item, field, key, published: { value }, halfWidth }) => {
    return { item, field, published_in: `${published_in} as ${key}`, value, halfWidth, options };
  });
}

/** The cells of a group are sorted by item and field. */
function isSaidOnce([group, ...others]: readonly PublishedGroup[]): boolean {
  if (group === undefined) return true;
  const { cells, synonyms } = group;
  const isRepeated = ({ item, field }: Cell, i: number) =>
    item === cells[i - 1]?.item && field === cells[i - 1]?.field;
  return others.length === 0 && synonyms.length === 0 && !cells.some(isRepeated);
}

const placeOf = (
  of: Omit<Contradiction, "published" | "is_stated">,
  published_in: string,
): string => JSON.stringify([resultKey(of), published_in, of.item, of.field]);

/** Where one of the places does not follow, it is the wrong one. */
export function withContradictions(
  numbers: readonly ComparedNumber[],
  contradictions: readonly Contradiction[],
): readonly ComparedNumber[] {
  const open = contradictions.filter(({ is_stated }) => !is_stated);
  if (open.length === 0) return numbers;
  const failing = new Set(
    numbers
      .filter((one) => !isPassing(judge({ ...one, contrary: undefined }).verdict))
      .map((one) => placeOf(one, one.published_in)),
  );
  const contraries = new Map<string, string>();
  for (const { published, ...number } of open) {
    const places = published.map(({ published_in }) => placeOf(number, published_in));
    if (places.some((place) => failing.has(place))) continue;
    const each = published
      .map(({ published_in, value }) => `${value} in ${published_in}`)
      .join(", ");
    for (const place of places) contraries.set(place, `published as ${each}`);
  }
  return numbers.map((one) => {
    const contrary = contraries.get(placeOf(one, one.published_in));
    return contrary === undefined ? one : { ...one, contrary };
  });
}
