-- grain: one pair of compared items, per experiment, dimension and source
-- inputs: int_source_comparisons
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item_a: the item that sorts first
--   item_b: the other item
--   wins_a: comparisons that item_a won (count)
--   wins_b: comparisons that item_b won (count)
--   ties: tied comparisons (count)
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
