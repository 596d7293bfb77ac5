-- severity: error
-- grain: one session id that an experiment lists more than once
-- inputs: stg_sessions
-- columns:
--   experiment_id: experiment
--   session_id: session
--   sessions: occurrences in the list (count)
select experiment_id, session_id, count(*) as sessions
from stg_sessions
group by experiment_id, session_id
having count(*) > 1
