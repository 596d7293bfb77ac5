-- grain: one rater who compared in an experiment
-- inputs: int_comparisons
-- units: rater_no is an integer for the kernels, in the order of (experiment_id, rater_id)
-- nulls: none; comparisons without a rater belong to rater ''
select
  cast(row_number() over (order by experiment_id, coalesce(rater_id, '')) as integer) as rater_no,
  experiment_id,
  coalesce(rater_id, '') as rater_id,
  count(*) as comparisons
from int_comparisons
group by experiment_id, coalesce(rater_id, '')
