-- severity: error
-- grain: one session of a rating or slate that is missing from the sessions list
-- inputs: key_session_raters, stg_slates, stg_sessions
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
with
named as (
  select experiment_id, session_id from key_session_raters
  where not is_listed
  union
  select experiment_id, session_id from stg_slates
)
select experiment_id, session_id
from named
anti join stg_sessions using (experiment_id, session_id)
