import { textOf, type Warehouse } from "../../../warehouse/index.js";
import { byId } from "./rows.js";
import type { Population } from "./report-data.js";

const ratingsSql = `
  select experiment_id, count(*) as ratings, count_if(is_training) as training,
    count_if(not coalesce(is_completed, false)) as incomplete, count_if(score is null) as unscored,
    count(distinct stimulus) as stimuli, count(distinct nullif(rater_id, '')) as raters
  from audit_ratings group by experiment_id`;

const sessionsSql = `
  select experiment_id, count(*) as sessions, count_if(is_completed) as completed,
    strftime(min(created_at), '%Y-%m-%d') as first_day, strftime(max(coalesce(completed_at, created_at)), '%Y-%m-%d') as last_day
  from stg_sessions group by experiment_id`;

const countedSql = "select experiment_id, count(score) as counted from int_population group by experiment_id";

/** What the ratings of each experiment are, by its identifier. */
export async function populationsOf(warehouse: Warehouse): Promise<(experiment: string) => Population> {
  const ratings = byId(await warehouse.all(ratingsSql));
  const sessions = byId(await warehouse.all(sessionsSql));
  const counted = byId(await warehouse.all(countedSql));
  return (id) => {
    const [of, session, used] = [ratings(id)[0] ?? {}, sessions(id)[0] ?? {}, counted(id)[0] ?? {}];
    return {
      ratings: Number(of.ratings ?? 0),
      counted: Number(used.counted ?? 0),
      training: Number(of.training ?? 0),
      incomplete: Number(of.incomplete ?? 0),
      unscored: Number(of.unscored ?? 0),
      sessions: Number(session.sessions ?? 0),
      completed: Number(session.completed ?? 0),
      raters: Number(of.raters ?? 0),
      stimuli: Number(of.stimuli ?? 0),
      from: textOf(session, "first_day"),
      to: textOf(session, "last_day"),
    };
  };
}
