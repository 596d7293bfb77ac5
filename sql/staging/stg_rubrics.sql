-- grain: one rubric
-- inputs: rubrics
-- units: leaderboards is JSON: what the rubric says of its leaderboards
-- nulls: as published; more holds the fields that the contract does not know
select
  id as rubric_id,
  name as rubric_name,
  leaderboards,
  _meta as more
from rubrics
