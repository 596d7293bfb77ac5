-- severity: error
-- grain: one session or job that names an experiment other than the one that lists it
-- inputs: sessions, jobs
-- columns:
--   table_name: sessions or jobs
--   id: session or job
--   experiment_id: experiment whose list holds it
--   reported_experiment_id: experiment that it names
select 'sessions' as table_name, id, experiment_id, reported_experiment_id
from sessions
where reported_experiment_id <> experiment_id
union all
select 'jobs' as table_name, id, experiment_id, reported_experiment_id
from jobs
where reported_experiment_id <> experiment_id
