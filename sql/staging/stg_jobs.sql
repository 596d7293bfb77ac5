-- grain: one job as the service listed it
-- inputs: jobs
-- columns:
--   experiment_id: experiment
--   job_id: job
--   status: status as the service gives it. null: not given
--   created_at: creation (instant). null: not given
--   launched_at: launch (instant). null: still a draft
select
  experiment_id,
  id as job_id,
  status,
  date_created as created_at,
  date_launched as launched_at
from jobs
