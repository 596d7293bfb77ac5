-- stored: view
-- grain: one record that publishes numbers, of any list
-- inputs: stg_results, stg_metrics, stg_leaderboards, stg_rubrics
-- columns:
--   list: list that holds the record: results, metrics, leaderboards or rubrics
--   listed_under: experiment whose results were listed. null: another list
--   id: leaderboard or rubric. null: another list
--   kind: metric kind. null: not given
--   dimension: rated dimension. null: not given
--   source: source as published, otherwise the one that was asked for. null: neither
--   job_id: job. null: the record names none
--   leaderboard_id: leaderboard that a record of the metrics list names. null: none
--   experiment_ids: experiments that the record names. null: none
--   scores: published scores (JSON). null: none
--   options: published options (JSON). null: none
--   more: fields that the contract does not know (JSON). null: none
select
  'results' as list, experiment_id as listed_under, null as id,
  kind, dimension, source, null as job_id, null as leaderboard_id,
  cast(null as varchar[]) as experiment_ids, scores, options, more
from stg_results
union all
select
  'metrics', null, null,
  kind, dimension, source, job_id, leaderboard_id, [experiment_id], scores, options, more
from stg_metrics
union all
select
  'leaderboards', null, leaderboard_id,
  kind, dimension, null, null, null, experiment_ids, scores, null, more
from stg_leaderboards
union all
select
  'rubrics', null, rubric_id,
  null, null, null, null, null, null, null, null,
  json_merge_patch(coalesce(more, '{}'), json_object('leaderboards', leaderboards))
from stg_rubrics
