-- severity: warning
-- grain: one session whose ratings name another job or rater than the session itself
-- inputs: stg_ratings, stg_sessions
-- units: none
-- nulls: an id that either side leaves out is no offence
select distinct r.experiment_id, r.session_id, r.job_id, s.job_id as session_job_id, r.rater_id, s.rater_id as session_rater_id
from stg_ratings as r
join stg_sessions as s using (experiment_id, session_id)
where (r.job_id <> s.job_id and r.job_id <> '' and s.job_id <> '')
  or r.rater_id <> s.rater_id
