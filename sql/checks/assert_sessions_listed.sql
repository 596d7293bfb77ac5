-- severity: error
-- grain: one session of a rating or slate that is missing from the sessions list
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
