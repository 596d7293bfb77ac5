-- grain: one session as the service listed it
-- inputs: sessions
-- units: instants
-- nulls: completed_at NULL means not completed
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
