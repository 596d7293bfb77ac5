-- severity: error
-- grain: one session that a rating or slate names and the sessions list lacks
-- inputs: stg_ratings, stg_slates, stg_sessions
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
with
named as (
  select experiment_id, session_id from stg_ratings
  union
  select experiment_id, session_id from stg_slates
)
select experiment_id, session_id
from named
anti join stg_sessions using (experiment_id, session_id)
