/** What the tables of a group of experiments depend on. */
import { groupedExperiments, keptKey, type Snapshot } from "../lake/index.js";
import type { Conventions } from "../metrics/index.js";
import { codeDigest, groupsOf } from "../platform/index.js";
import { sharedModels, textOf, type Computation, type TableGroup } from "../warehouse/index.js";

/**
 * Each with a digest of everything on which its tables depend: parts, names, conventions, the sets
 * of jobs that numbers are published for, what says which end of a scale is better, and this
 * version of Recount. Of published numbers only ranks are among it.
 */
export async function groupsOfSnapshot(
  { manifest }: Snapshot,
  { warehouse, make }: Computation,
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
  const grouped = groupedExperiments(manifest);
  const factsOf = ({ id, parts }: (typeof grouped)[number]["own"][number]) => [
    id,
    names.get(id) ?? [],
    directions.get(id) ?? [],
    parts,
  ];
  return grouped.map(({ own, ...group }) => ({
    ...group,
    key: keptKey("group", codeDigest(), conventions, sets, own.map(factsOf)),
  }));
}
