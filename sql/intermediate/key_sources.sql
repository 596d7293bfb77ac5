-- grain: one dimension, job and source that counts the job's ratings
-- inputs: int_dimensions, int_jobs, int_job_sets
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   job_no: number of the job in int_jobs; 0 for none
--   group_id: number of the experiment, dimension and source, in their order, from 1
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
with
jobs as (
  select experiment_id, job_id, job_no from int_jobs
  where job_id <> ''
  union
  select experiment_id, '' as job_id, 0 as job_no from int_dimensions
),
sources as (
  select experiment_id, job_no, '' as source from jobs
  union all
  select experiment_id, job_no, job_id as source from jobs
  where job_id <> ''
  union all
  select experiment_id, job_no, source from jobs
  join int_job_sets using (experiment_id, job_id)
)
select
  d.dimension_id,
  s.job_no,
  cast(dense_rank() over (order by d.experiment_id, d.dimension, s.source) as integer) as group_id,
  s.source
from sources as s
join int_dimensions as d using (experiment_id)
