import { textOf, type Warehouse } from "../../../warehouse/index.js";
import { limits } from "../limits.js";
import type { ExperimentDetails, RaterData } from "./report-data.js";
import { among, byId, grouped, numberOf } from "./rows.js";

const gapsSql = (ids: readonly string[]) => `
  select experiment_id, coalesce(rater_id, '') as rater_id,
    (epoch_ms(updated_at) - lag(epoch_ms(updated_at)) over (
      partition by experiment_id, session_id order by updated_at, slate_id)) / 1000 as seconds
  from stg_slates where updated_at is not null and session_id is not null and ${among(ids)}`;

const ratersSql = (ids: readonly string[]) => `
  select experiment_id, rater_id, sum(ratings) as ratings, sum(comparisons) as comparisons,
    100 * sum(cast(round(agreement_pct * comparable / 100) as bigint)) / nullif(sum(comparable), 0) as agreement,
    100 * sum(correct) / nullif(sum(correct) + sum(incorrect), 0) as correct
  from metric_raters where ${among(ids)}
  group by experiment_id, rater_id order by experiment_id, agreement nulls last, correct nulls last, rater_id`;

const answeredSql = (ids: readonly string[]) => `
  with answered as (
    select experiment_id, session_id, count(distinct slate_id) as slates
    from stg_ratings where ${among(ids)} group by experiment_id, session_id)
  select s.experiment_id, coalesce(a.slates, 0) as slates, count(*) as sessions, count_if(s.is_completed) as completed
  from stg_sessions as s left join answered as a using (experiment_id, session_id)
  where ${among(ids).replace("experiment_id", "s.experiment_id")}
  group by all order by all`;

/** Agreement, correctness, speed and drop-out of each experiment among `ids`. */
export async function ratersOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(experiment: string) => Pick<ExperimentDetails, "raters" | "answered" | "seconds">> {
  const raters = byId(await warehouse.all(ratersSql(ids)));
  const answered = byId(await warehouse.all(answeredSql(ids)));
  const speeds = await warehouse.all(
    `select experiment_id, rater_id, median(seconds) as seconds from (${gapsSql(ids)}) where seconds is not null group by all`,
  );
  const spread = byId(
    await warehouse.all(
      `select experiment_id, quantile_cont(seconds, 0.1) as low, median(seconds) as median,
         quantile_cont(seconds, 0.9) as high
       from (${gapsSql(ids)}) where seconds is not null group by experiment_id`,
    ),
  );
  const speed = grouped(speeds, (row) => JSON.stringify([row.experiment_id, row.rater_id]));
  return (id) => {
    const [seconds] = spread(id);
    return {
      raters: raters(id).map((row): RaterData => ({
        rater: textOf(row, "rater_id"),
        ratings: Number(row.ratings),
        comparisons: Number(row.comparisons),
        agreement: numberOf(row, "agreement"),
        correct: numberOf(row, "correct"),
        seconds: numberOf(speed(JSON.stringify([row.experiment_id, row.rater_id]))[0], "seconds"),
      })),
      answered: answered(id)
        .slice(0, limits.raters)
        .map((row) => ({
          slates: Number(row.slates),
          sessions: Number(row.sessions),
          completed: Number(row.completed),
        })),
      seconds:
        seconds === undefined
          ? null
          : { low: Number(seconds.low), median: Number(seconds.median), high: Number(seconds.high) },
    };
  };
}
