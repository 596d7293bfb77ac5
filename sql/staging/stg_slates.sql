-- grain: one slate as the service listed it
-- inputs: slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate
--   session_id: session. null: not given
--   job_id: job; '' for none
--   rater_id: rater. null: not given
--   updated_at: last update (instant). null: not given; such slates are last in the service order
--   is_training: whether it is a training slate
select
  experiment_id,
  id as slate_id,
  session_id,
  coalesce(job_id, '') as job_id,
  cast(rater_id as string) as rater_id,
  date_updated as updated_at,
  coalesce(is_training, false) as is_training
from slates
