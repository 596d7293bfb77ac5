import { type Cell, type PublishedGroup, canBeOne } from "./published/cells.js";
import { unrounded } from "./published/precision.js";

/** One number that two lists publish differently. */
export interface Contradiction {
  readonly experiment_id: string;
  readonly experiment_name: string;
  readonly kind: string;
  readonly dimension: string;
  readonly source: string;
  readonly item: string;
  readonly field: string;
  /** True if the places state different options, which may be why. */
  readonly is_stated: boolean;
  /** Every place that publishes the number, with its value; in the order of the places. */
  readonly published: readonly { readonly published_in: string; readonly value: number }[];
}

interface StatedNumber {
  readonly options: string;
  readonly published_in: string;
  readonly value: number;
  readonly halfWidth: number;
}

/** Numbers of one item and field that cannot be roundings of one number, in groups of one experiment, kind, dimension and source. */
export function contradictionsAmong(all: readonly PublishedGroup[]): Contradiction[] {
  const groups = all.filter(({ problem }) => problem === null);
  if (isSaidOnce(groups)) return [];
  const said = new Map<string, { group: PublishedGroup; item: string; field: string; said: StatedNumber[] }>();
  for (const group of groups) {
    for (const { item, field, published } of group.cells) {
      const key = JSON.stringify([item, field]);
      const known = said.get(key) ?? { group, item, field, said: [] };
      said.set(key, known);
      const { halfWidth } = group.precision[field] ?? unrounded;
      const options = JSON.stringify(group.options);
      known.said.push({ published_in: group.published_in, value: published.value, halfWidth, options });
    }
  }
  for (const { published_in, synonyms, options: stated } of groups) {
    const options = JSON.stringify(stated);
    for (const { item, field, key, published, halfWidth } of synonyms) {
      const place = `${published_in} as ${key}`;
      said
        .get(JSON.stringify([item, field]))
        ?.said.push({ published_in: place, value: published.value, halfWidth, options });
    }
  }
  return [...said.values()]
    .filter(({ said: all }) => all.some((a) => all.some((b) => !canBeOne(a, b))))
    .map(({ group: { experiment_id, experiment_name, kind, dimension, source }, item, field, said: all }) => ({
      experiment_id,
      experiment_name,
      kind,
      dimension,
      source,
      item,
      field,
      is_stated: new Set(all.map(({ options }) => options).filter((options) => options !== "{}")).size > 1,
      published: all.map(({ published_in, value }) => ({ published_in, value })),
    }));
}

/** Whether each number is published once, as nearly all are: the cells of a group are sorted by item and field. */
function isSaidOnce([group, ...others]: readonly PublishedGroup[]): boolean {
  if (group === undefined) return true;
  const { cells, synonyms } = group;
  const isRepeated = ({ item, field }: Cell, i: number) => item === cells[i - 1]?.item && field === cells[i - 1]?.field;
  return others.length === 0 && synonyms.length === 0 && !cells.some(isRepeated);
}
