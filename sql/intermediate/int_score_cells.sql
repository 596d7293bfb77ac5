-- grain: one item with scores, per experiment, dimension and source
-- inputs: int_score_counts
-- units: cell_id is an integer for the kernels; n counts ratings
-- nulls: none
select
  cast(row_number() over (order by experiment_id, dimension, source, item) as integer) as cell_id,
  experiment_id,
  dimension,
  source,
  item,
  cast(sum(n) as bigint) as n
from int_score_counts
group by experiment_id, dimension, source, item
