-- grain: one rubric
-- inputs: rubrics
-- columns:
--   rubric_id: rubric
--   rubric_name: name. null: not given
--   leaderboards: leaderboards of the rubric as published (JSON). null: none
--   more: fields that the contract does not know (JSON). null: none
select
  id as rubric_id,
  name as rubric_name,
  leaderboards,
  _meta as more
from rubrics
