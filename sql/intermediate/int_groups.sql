-- grain: one experiment, dimension and source with comparisons
-- inputs: int_source_comparisons
-- columns:
--   group_id: id for the kernels, in the order of (experiment_id, dimension, source), from 1
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   comparisons: comparisons (count)
select
  cast(row_number() over (order by experiment_id, dimension, source) as integer) as group_id,
  experiment_id,
  dimension,
  source,
  count(*) as comparisons
from int_source_comparisons
group by experiment_id, dimension, source
