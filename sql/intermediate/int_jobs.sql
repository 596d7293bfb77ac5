-- grain: one job that the jobs list, a session or a rating names
-- inputs: stg_jobs, key_session_raters
-- columns:
--   experiment_id: experiment
--   job_id: job
--   job_no: number of the job, in the order of (experiment_id, job_id), from 1
with
named as (
  select experiment_id, job_id from stg_jobs
  where job_id is not null
  union
  select experiment_id, job_id from key_session_raters
  where job_id <> ''
)
select experiment_id, job_id,
  cast(row_number() over (order by experiment_id, job_id) as integer) as job_no
from named
