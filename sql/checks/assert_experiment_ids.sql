-- severity: error
-- grain: one session or job that says it belongs to another experiment
-- inputs: sessions, jobs
-- units: none
-- nulls: a record that names no experiment is no offence
select 'sessions' as table_name, id, experiment_id, reported_experiment_id
from sessions
where reported_experiment_id <> experiment_id
union all
select 'jobs' as table_name, id, experiment_id, reported_experiment_id
from jobs
where reported_experiment_id <> experiment_id
