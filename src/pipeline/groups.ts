/** What the tables of a group depend on, and the groups that are computed together. */
import { groupedExperiments, type Snapshot } from "../lake/index.js";
import type { Conventions } from "../metrics/index.js";
import { codeDigest, groupsOf, sumOf } from "../platform/index.js";
import {
  keptKey,
  textOf,
  type MakeModels,
  type TableGroup,
  type Warehouse,
} from "../warehouse/index.js";

/** Made of all published numbers, any of which may be of any experiment. */
export const sharedModels = ["int_named_sets", "int_stated_directions", "int_published_ranks"];

/** Bytes of parts whose models take 0.6 GB. */
const bytesTogether = 12e6;

/** Bytes of parts whose models an engine holds, as a share of its memory. */
const shareOfMemory = 1 / 50;

/** Those that are computed together: a batch takes time, and what it holds memory. */
export async function batchesOf<T extends TableGroup & { readonly bytes: number }>(
  groups: readonly T[],
  warehouse: Warehouse,
  most = bytesTogether,
): Promise<T[][]> {
  const [row] = await warehouse.all(
    "select parse_formatted_bytes(current_setting('memory_limit')) as bytes",
  );
  const limit = Math.min(most, shareOfMemory * Number(row?.bytes));
  let bytes = 0;
  const numberOf = (group: T) => {
    bytes += group.bytes;
    return String(Math.floor(bytes / limit));
  };
  return [...groupsOf(groups, numberOf).values()];
}

/**
 * Each with a digest of everything on which its tables depend: parts, names, conventions, the sets
 * of jobs that numbers are published for, what says which end of a scale is better, and this
 * version of Recount. Of published numbers only ranks are among it.
 */
export async function groupsOfSnapshot(
  { manifest }: Snapshot,
  { warehouse, make }: { readonly warehouse: Warehouse; readonly make: MakeModels },
  conventions: Conventions,
): Promise<(TableGroup & { readonly bytes: number })[]> {
  await make(["stg_experiments", ...sharedModels]);
  const sets = await warehouse.all("from int_named_sets order by all");
  const named = await warehouse.all(
    "select experiment_id, experiment_name, experiment_type from stg_experiments order by all",
  );
  const names = groupsOf(named, (row) => textOf(row, "experiment_id"));
  const told = await warehouse.all(
    `select experiment_id, dimension, direction, precedence::varchar as place
    from int_stated_directions
    union all
    select experiment_id, dimension, item, rank::varchar from int_published_ranks
    order by all`,
  );
  const directions = groupsOf(told, (row) => textOf(row, "experiment_id"));
  const factsOf = ({ id, parts }: (typeof grouped)[number][number]) => [
    id,
    names.get(id) ?? [],
    directions.get(id) ?? [],
    parts,
  ];
  const grouped = groupedExperiments(manifest);
  return grouped.map((own) => ({
    key: keptKey("group", codeDigest(), conventions, sets, own.map(factsOf)),
    experiments: own.map(({ id }) => id),
    bytes: sumOf(own.map(({ bytes }) => bytes)),
  }));
}
