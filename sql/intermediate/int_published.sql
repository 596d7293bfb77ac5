-- stored: view
-- grain: one record that publishes numbers, of any list
-- inputs: stg_results, stg_metrics, stg_leaderboards, stg_rubrics
-- units: list is results, metrics, leaderboards or rubrics; scores, options and more are JSON
-- nulls: as published; listed_under is the experiment whose results were listed; id names a leaderboard or rubric
select
  'results' as list, experiment_id as listed_under, null as id,
  kind, dimension, source, null as job_id, null as leaderboard_id, cast(null as varchar[]) as experiment_ids, scores, options, more
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
  null, null, null, null, null, null, null, null, json_merge_patch(coalesce(more, '{}'), json_object('leaderboards', leaderboards))
from stg_rubrics
