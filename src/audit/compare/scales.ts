/** What sentences about an order rest on: the better end of each scale, and what votes compare. */
import { connectedComponents } from "../../metrics/index.js";
import { byText, groupsOf } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";

export type Direction = "higher" | "lower" | null;

/** A rated dimension of an experiment; `int_directions` decides its direction. */
export interface Scale {
  readonly experiment_id: string;
  readonly dimension: string;
  readonly direction: Direction;
  readonly ground: "stated" | "votes" | "convention" | "published ranks" | null;
  /** Items that no vote compares with those of another group; none if all are linked. */
  readonly groups: readonly (readonly string[])[];
}

export const scaleModels = ["int_directions", "int_items", "key_pairs"];

/** @param warehouse with `scaleModels` */
export async function readScales(warehouse: Warehouse): Promise<Scale[]> {
  const pairs = (await warehouse.all(
    "select distinct p.dimension_id::varchar as scale, a.item as one, b.item as other " +
      "from key_pairs as p join int_items as a on a.item_id = p.item_a " +
      "join int_items as b on b.item_id = p.item_b order by all",
  )) as unknown as { scale: string; one: string; other: string }[];
  const byScale = groupsOf(pairs, ({ scale }) => scale);
  const rows = (await warehouse.all(
    "select dimension_id::varchar as scale, * from int_directions order by dimension_id",
  )) as unknown as (Scale & { scale: string })[];
  return rows.map(({ scale, experiment_id, dimension, direction, ground }) => ({
    experiment_id,
    dimension,
    direction,
    ground,
    groups: linkedGroups((byScale.get(scale) ?? []).map(({ one, other }) => [one, other])),
  }));
}

function linkedGroups(pairs: readonly (readonly [string, string])[]): string[][] {
  const items = [...new Set(pairs.flat())].sort(byText);
  const placeOf = new Map(items.map((item, i) => [item, i]));
  const places = (side: 0 | 1) => pairs.map((pair) => placeOf.get(pair[side])!);
  const { component, components } = connectedComponents(items.length, places(0), places(1));
  if (components < 2) return [];
  return Array.from({ length: components }, (_, part) =>
    items.filter((_item, i) => component[i] === part),
  ).sort((one, other) => other.length - one.length);
}

type OfScale = Pick<Scale, "experiment_id" | "dimension">;

export const scaleAmong = (scales: readonly Scale[], of: OfScale): Scale | undefined =>
  scales.find(
    ({ experiment_id, dimension }) =>
      experiment_id === of.experiment_id && dimension === of.dimension,
  );
