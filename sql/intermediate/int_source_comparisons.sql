-- stored: view
-- grain: one comparison and source: '' is the whole experiment, otherwise a job or a published set of jobs
-- inputs: int_comparisons, int_job_sets
-- units: as in int_comparisons
-- nulls: as in int_comparisons
select '' as source, * from int_comparisons
union all
select job_id as source, * from int_comparisons
where job_id <> ''
union all
select s.source, c.*
from int_comparisons as c
join int_job_sets as s on s.experiment_id = c.experiment_id and s.job_id = c.job_id
