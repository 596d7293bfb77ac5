-- severity: warning
-- grain: one session, with a job and rater of its ratings that differ from the session's own;
--     missing ids are skipped
-- inputs: key_session_raters, stg_sessions
-- columns:
--   experiment_id: experiment
--   session_id: session
--   job_id: job of the rating; '' for none
--   session_job_id: job of the session; '' for none
--   rater_id: rater of the rating. null: unknown
--   session_rater_id: rater of the session. null: unknown
select distinct r.experiment_id, r.session_id, r.job_id, s.job_id as session_job_id, r.rater_id,
  s.rater_id as session_rater_id
from key_session_raters as r
join stg_sessions as s using (experiment_id, session_id)
where not r.is_listed
  and ((r.job_id <> s.job_id and r.job_id <> '' and s.job_id <> '') or r.rater_id <> s.rater_id)
