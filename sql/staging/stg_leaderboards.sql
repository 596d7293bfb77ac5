-- grain: one leaderboard
-- inputs: leaderboards
-- units: as published; scores are JSON
-- nulls: as published; more holds the fields that the contract does not know
select
  id as leaderboard_id,
  name as leaderboard_name,
  rubric_id,
  kind,
  dimension,
  experiment_ids,
  scores,
  _meta as more
from leaderboards
