import { metricKind, type Conventions, type Kind } from "../../metrics/index.js";
import { textOf, type Warehouse } from "../../warehouse/index.js";
import { ownScenario } from "../evaluate/index.js";
import { jobMask, selectRatings, type RatingColumns } from "../ratings/index.js";

/** How many ratings and sessions of a dimension count, and why the others do not. */
export interface RatingCounts {
  readonly all: number;
  readonly counted: number;
  readonly training: number;
  readonly incomplete: number;
  readonly unscored: number;
  readonly sessions: number;
  readonly counted_sessions: number;
}

export function countRatings(
  ratings: RatingColumns,
  conventions: Conventions,
  dimension: string,
  source: string,
): RatingCounts {
  const own = ratings.dimensions.indexOf(dimension);
  const jobs = source === "" ? null : jobMask(ratings, source);
  const chosen = selectRatings(ratings, ownScenario(conventions, dimension, source).population);
  const here = [...ratings.dimension.keys()].filter(
    (i) => ratings.dimension[i] === own && (jobs === null || jobs[ratings.job[i] as number] === 1),
  );
  const counted = here.filter((i) => chosen[i] === 1);
  return {
    all: here.length,
    counted: counted.length,
    training: here.filter((i) => ratings.training[i] === 1).length,
    incomplete: here.filter((i) => ratings.completed[i] === 0).length,
    unscored: here.filter((i) => Number.isNaN(ratings.score[i])).length,
    sessions: new Set(here.map((i) => ratings.session[i])).size,
    counted_sessions: new Set(counted.map((i) => ratings.session[i])).size,
  };
}

/** The comparisons and slates of a dimension; for kinds that need no comparisons all zero. */
export interface SlateCounts {
  readonly comparisons: number;
  /** Slates without a comparison, by reason. */
  readonly skipped: readonly { readonly reason: string; readonly slates: number }[];
}

export async function slateCounts(
  warehouse: Warehouse,
  kind: Kind,
  experiment: string,
  dimension: string,
): Promise<SlateCounts> {
  if (metricKind(kind).family !== "pairwise") return { comparisons: 0, skipped: [] };
  const rows = await warehouse.all(
    "select skip_reason, slates, comparisons from audit_slates where experiment_id = $1 and dimension = $2 order by all",
    [experiment, dimension],
  );
  const counts = rows.map((row) => ({ reason: textOf(row, "skip_reason"), slates: Number(row.slates) }));
  return {
    comparisons: rows.reduce((sum, row) => sum + Number(row.comparisons), 0),
    skipped: counts.filter(({ reason }) => reason !== ""),
  };
}

/** The range of an item's main number over random orders of the sessions. */
export interface ItemOrderRange {
  readonly item: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Empty for kinds that do not depend on the order. */
export async function orderRanges(
  warehouse: Warehouse,
  kind: Kind,
  experiment: string,
  dimension: string,
  source: string,
): Promise<ItemOrderRange[]> {
  if (metricKind(kind).isOrdered !== true) return [];
  const rows = await warehouse.all(
    `select item, value, min_elo, max_elo from metric_${kind}_order
     where experiment_id = $1 and dimension = $2 and source = $3 and min_elo is not null order by item`,
    [experiment, dimension, source],
  );
  return rows.map((row) => ({
    item: textOf(row, "item"),
    value: Number(row.value),
    low: Number(row.min_elo),
    high: Number(row.max_elo),
  }));
}
