-- severity: error
-- grain: one session that ratings or slates name and the sessions list does not
-- inputs: stg_ratings, stg_slates, stg_sessions
-- units: none
-- nulls: session_id NULL where a rating or slate names no session at all
with
named as (
  select experiment_id, session_id from stg_ratings
  union
  select experiment_id, session_id from stg_slates
)
select experiment_id, session_id
from named
anti join stg_sessions using (experiment_id, session_id)
