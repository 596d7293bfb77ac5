-- grain: one session as the service listed it
-- inputs: sessions
-- columns:
--   experiment_id: experiment
--   session_id: session
--   job_id: job; '' for none
--   rater_id: rater. null: not given
--   created_at: creation (instant). null: not given
--   updated_at: last update (instant). null: not given
--   completed_at: completion (instant). null: not completed
--   is_completed: whether the session is completed
select
  experiment_id,
  id as session_id,
  coalesce(job_id, '') as job_id,
  json_extract_string(rater, '$.id') as rater_id,
  date_created as created_at,
  date_updated as updated_at,
  date_completed as completed_at,
  date_completed is not null as is_completed
from sessions
