-- grain: one slate as the service listed it
-- inputs: slates
-- units: updated_at is an instant
-- nulls: updated_at NULL sorts last in the service order
select
  experiment_id,
  id as slate_id,
  session_id,
  coalesce(job_id, '') as job_id,
  cast(rater_id as string) as rater_id,
  date_updated as updated_at,
  coalesce(is_training, false) as is_training
from slates
