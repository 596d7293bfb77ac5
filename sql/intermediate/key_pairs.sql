-- grain: one pair of compared items, per dimension, job and weight
-- inputs: key_comparisons
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   job_no: number of the job in int_jobs; 0 for none
--   item_a: number in int_items of the item that sorts first
--   item_b: number in int_items of the other item
--   weight: comparisons that each of these comparisons counts as (count)
--   wins_a: comparisons that item_a won, whatever their weight (count)
--   wins_b: comparisons that item_b won, whatever their weight (count)
--   ties: tied comparisons, whatever their weight (count)
select
  dimension_id,
  job_no,
  item_a,
  item_b,
  weight,
  count(*) filter (where outcome = 1) as wins_a,
  count(*) filter (where outcome = -1) as wins_b,
  count(*) filter (where outcome = 0) as ties
from key_comparisons
group by dimension_id, job_no, item_a, item_b, weight
