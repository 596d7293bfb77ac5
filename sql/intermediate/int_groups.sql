-- grain: one experiment, dimension and source with comparisons
-- inputs: int_source_comparisons
-- units: group_id is an integer for the kernels, in the order of (experiment_id, dimension, source)
-- nulls: none
select
  cast(row_number() over (order by experiment_id, dimension, source) as integer) as group_id,
  experiment_id,
  dimension,
  source,
  count(*) as comparisons
from int_source_comparisons
group by experiment_id, dimension, source
