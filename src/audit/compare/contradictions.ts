/** Numbers that are published in several places, with values that cannot both hold. */
import { groupsOf, keyOf } from "../../platform/index.js";
import { canBeOne, type PublishedGroup, type Rounded } from "../read/cells.js";
import type { GroupKey } from "../result.js";
import { unrounded } from "../read/precision.js";

export interface Contradiction extends Omit<GroupKey, "published_in"> {
  readonly item: string;
  readonly field: string;
  readonly published: readonly { readonly published_in: string; readonly value: number }[];
}

interface Said extends Rounded {
  readonly item: string;
  readonly field: string;
  readonly published_in: string;
  readonly options: string;
  readonly record: number;
}

/** Numbers of one item, field and result, under the same options, that no one number gives. */
export function contradictionsAmong(all: readonly PublishedGroup[]): Contradiction[] {
  const groups = all.filter(({ problem }) => problem === null);
  const [first] = groups;
  if (first === undefined) return [];
  const { experiment_id, experiment_name, kind, dimension, source } = first;
  const said = groups.flatMap(saidIn);
  return [...groupsOf(said, ({ item, field, options }) => keyOf(item, field, options)).values()]
    .filter((same) => {
      const isContrary = (some: readonly Said[], others: readonly Said[]): boolean =>
        some.every((a) => others.every((b) => !canBeOne(a, b)));
      // Records that name nothing may be columns.
      const placeOf = ({ published_in }: Said): string => published_in.replace(/\/\d+$/, "");
      const places = [...groupsOf(same, placeOf).values()];
      const records = [...groupsOf(same, ({ record }) => String(record)).values()];
      return (
        places.some((one) => places.some((other) => other !== one && isContrary(one, other))) ||
        records.some((one) => one.some((a) => one.some((b) => !canBeOne(a, b))))
      );
    })
    .map((same) => ({
      ...{ experiment_id, experiment_name, kind, dimension, source },
      item: same[0].item,
      field: same[0].field,
      published: same.map(({ published_in, value }) => ({ published_in, value })),
    }));
}

function saidIn(
  { cells, synonyms, precision, published_in, ...of }: PublishedGroup,
  record: number,
) {
  const options = JSON.stringify(of.options);
  const said = cells.map(({ item, field, published: { value, about } }): Said => {
    // Both parts of a sum are rounded.
    const halfWidth = (about === undefined ? 1 : 2) * (precision[field] ?? unrounded).halfWidth;
    return { item, field, published_in, value, halfWidth, options, record };
  });
  const others = synonyms.map(({ item, field, key, published: { value }, halfWidth }): Said => {
    const place = `${published_in} as ${key}`;
    return { item, field, published_in: place, value, halfWidth, options, record };
  });
  return [...said, ...others];
}
