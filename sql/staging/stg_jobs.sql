-- grain: one job as the service listed it
-- inputs: jobs
-- units: instants
-- nulls: launched_at NULL means still a draft
select
  experiment_id,
  id as job_id,
  status,
  date_created as created_at,
  date_launched as launched_at
from jobs
