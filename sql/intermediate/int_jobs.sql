-- grain: one job that the jobs list, a session or a rating names
-- inputs: stg_jobs, stg_sessions, stg_ratings
-- columns:
--   experiment_id: experiment
--   job_id: job
--   job_no: number of the job, in the order of (experiment_id, job_id), from 1
with
named as (
  select experiment_id, job_id from stg_jobs
  where job_id is not null
  union
  select experiment_id, job_id from stg_sessions
  where job_id <> ''
  union
  select experiment_id, job_id from stg_ratings
  where job_id <> ''
)
select experiment_id, job_id, cast(row_number() over (order by experiment_id, job_id) as integer) as job_no
from named
