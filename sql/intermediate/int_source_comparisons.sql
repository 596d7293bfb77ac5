-- stored: view
-- grain: one comparison and source: '' is the whole experiment, otherwise a job
-- inputs: int_comparisons
-- units: as in int_comparisons
-- nulls: as in int_comparisons
select '' as source, * from int_comparisons
union all
select job_id as source, * from int_comparisons
where job_id <> ''
