-- grain: one record of the project's metrics list
-- inputs: metrics
-- columns:
--   experiment_id: experiment. null: not given
--   job_id: job. null: the record names none
--   leaderboard_id: leaderboard. null: the record names none
--   kind: metric kind. null: not given
--   dimension: rated dimension. null: not given
--   source: source as published. null: not given
--   scores: published scores (JSON). null: none
--   options: published options (JSON). null: none
--   more: fields that the contract does not know (JSON). null: none
select
  experiment_id,
  job_id,
  leaderboard_id,
  kind,
  dimension,
  source,
  scores,
  options,
  _meta as more
from metrics
