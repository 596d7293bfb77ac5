-- grain: one record of the project's metrics list
-- inputs: metrics
-- units: as published; scores and options are JSON
-- nulls: as published; more holds the fields that the contract does not know
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
