-- grain: one leaderboard
-- inputs: leaderboards
-- columns:
--   leaderboard_id: leaderboard
--   leaderboard_name: name. null: not given
--   rubric_id: rubric that it belongs to. null: none
--   kind: metric kind. null: not given
--   dimension: rated dimension. null: not given
--   experiment_ids: experiments whose ratings count. null: not given
--   scores: published scores (JSON). null: none
--   more: fields that the contract does not know (JSON). null: none
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
