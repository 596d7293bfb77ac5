-- grain: one item that was compared in an experiment
-- inputs: int_comparisons
-- columns:
--   item_id: id for the kernels, in the order of (experiment_id, item), from 1
--   experiment_id: experiment
--   item: item
with
compared as (
  select experiment_id, item_a as item from int_comparisons
  union
  select experiment_id, item_b as item from int_comparisons
)
select
  cast(row_number() over (order by experiment_id, item) as integer) as item_id,
  experiment_id,
  item
from compared
