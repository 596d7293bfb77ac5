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
--   place: place among sessions that completed at the same instant, or not, by the identifiers
--     before pseudonyms (count). null: no pseudonyms, or no other such session
--   is_completed: whether the session is completed
select
  experiment_id,
  id as session_id,
  coalesce(job_id, '') as job_id,
  json_extract_string(rater, '$.id') as rater_id,
  date_created as created_at,
  date_updated as updated_at,
  date_completed as completed_at,
  try_cast(json_extract_string(_meta, '$.recount_place') as bigint) as place,
  date_completed is not null as is_completed
from sessions
