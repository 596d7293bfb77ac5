-- severity: warning
-- grain: one job that ratings, slates or sessions name and the jobs list does not
-- inputs: stg_ratings, stg_slates, stg_sessions, stg_jobs
-- units: none
-- nulls: an experiment without any jobs is not compared; '' names no job
with
named as (
  select experiment_id, job_id from stg_ratings
  union
  select experiment_id, job_id from stg_slates
  union
  select experiment_id, job_id from stg_sessions
)
select experiment_id, job_id
from named
semi join (select distinct experiment_id from stg_jobs) as compared using (experiment_id)
anti join stg_jobs using (experiment_id, job_id)
where job_id <> ''
