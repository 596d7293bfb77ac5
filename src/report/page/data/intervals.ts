import type { Conventions, Kind } from "../../../metrics/index.js";

/** The interval of a kind's main number: what it is, and a query for its ends by experiment, dimension and item. */
interface IntervalSource {
  readonly says: string;
  readonly sql: string;
}

const clusteredMeans = (level: number): IntervalSource => ({
  says: `${level}\u00a0% interval of the mean, errors clustered by rater`,
  sql: `select experiment_id, dimension, item, clustered_ci_low as low, clustered_ci_high as high
    from metric_stats_clustered where source = ''`,
});

/** Where the intervals of each kind come from; a kind that is missing here has none. */
const sources: Partial<Record<Kind, (conventions: Conventions) => IntervalSource | null>> = {
  bayesian_elo: () => ({
    says: "95\u00a0% credible interval",
    sql: "select experiment_id, dimension, item, p025 as low, p975 as high from metric_bayesian_elo where source = ''",
  }),
  elo: ({ elo }) => ({
    says: `middle 95\u00a0% over ${elo.permutations} random orders of the sessions`,
    sql: `select experiment_id, dimension, item, p025_elo as low, p975_elo as high
      from metric_elo_order where source = '' and p025_elo is not null`,
  }),
  mean: ({ mean, stats }) => (mean === "mean" ? clusteredMeans(stats.level) : null),
  stats: ({ stats }) => clusteredMeans(stats.level),
};

export const intervalOf = (kind: Kind, conventions: Conventions): IntervalSource | null =>
  sources[kind]?.(conventions) ?? null;
