-- grain: one pair of items that met, per experiment, dimension and source
-- inputs: int_source_comparisons
-- units: comparisons
-- nulls: none
select
  experiment_id,
  dimension,
  source,
  item_a,
  item_b,
  count(*) filter (where outcome = 1) as wins_a,
  count(*) filter (where outcome = -1) as wins_b,
  count(*) filter (where outcome = 0) as ties
from int_source_comparisons
group by experiment_id, dimension, source, item_a, item_b
