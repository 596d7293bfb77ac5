-- grain: one job of a set of jobs that numbers are published for
-- inputs: int_named_sets, int_jobs
-- columns:
--   experiment_id: experiment
--   source: the set: two or more jobs of one experiment, sorted, joined by commas
--   job_id: one job of the set
with
elsewhere as (
  select distinct more from int_named_sets
  where more is not null
),
named as (
  select source as jobs from int_named_sets
  union
  select json_extract_string(more, '$.source') as jobs from elsewhere
  union
  select string_agg(job_id, ',' order by job_id) as jobs
  from elsewhere
  join int_jobs on contains(more, '"' || job_id || '"')
  group by more
),
sets as (
  select experiment_id, string_agg(distinct job_id, ',' order by job_id) as source
  from (select jobs, trim(unnest(string_split(jobs, ','))) as job_id from named
    where contains(jobs, ','))
  join int_jobs using (job_id)
  group by experiment_id, jobs
  having count(distinct job_id) > 1
)
select distinct experiment_id, source, unnest(string_split(source, ',')) as job_id
from sets
order by experiment_id, source, job_id
