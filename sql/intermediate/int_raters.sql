-- grain: one rater with comparisons in an experiment
-- inputs: int_comparisons
-- columns:
--   rater_no: id for the kernels, in the order of (experiment_id, rater_id), from 1
--   experiment_id: experiment
--   rater_id: rater; '' for comparisons without one
--   comparisons: comparisons (count)
select
  cast(row_number() over (order by experiment_id, coalesce(rater_id, '')) as integer) as rater_no,
  experiment_id,
  coalesce(rater_id, '') as rater_id,
  count(*) as comparisons
from int_comparisons
group by experiment_id, coalesce(rater_id, '')
