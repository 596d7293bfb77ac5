-- grain: one pair of items that a rater compared, per dimension and job
-- inputs: key_comparisons
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_a: number in int_items of the item that sorts first
--   item_b: number in int_items of the other item
--   wins_a: comparisons that item_a won (count)
--   wins_b: comparisons that item_b won (count)
--   ties: tied comparisons (count)
select
  dimension_id,
  job_no,
  rater_no,
  item_a,
  item_b,
  cast(count(*) filter (where outcome = 1) as integer) as wins_a,
  cast(count(*) filter (where outcome = -1) as integer) as wins_b,
  cast(count(*) filter (where outcome = 0) as integer) as ties
from key_comparisons
group by dimension_id, job_no, rater_no, item_a, item_b
