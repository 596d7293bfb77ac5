-- severity: warning
-- grain: one job of a rating, slate or session that is missing from the jobs list; experiments
--     without jobs are skipped
-- inputs: key_session_raters, stg_slates, stg_jobs
-- columns:
--   experiment_id: experiment
--   job_id: job
with
named as (
  select experiment_id, job_id from key_session_raters
  union
  select experiment_id, job_id from stg_slates
)
select experiment_id, job_id
from named
semi join (select distinct experiment_id from stg_jobs) as compared using (experiment_id)
anti join stg_jobs using (experiment_id, job_id)
where job_id <> ''
