-- grain: one item that a rater scored, per dimension
-- inputs: key_rater_scores
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_id: number of the item in int_items
--   n: ratings (count)
--   total: sum of the scores (the experiment's scale)
select
  dimension_id, rater_no, item_id,
  cast(sum(n) as bigint) as n,
  ordered_sum(score * n, score) as total
from key_rater_scores
where item_id is not null
group by dimension_id, rater_no, item_id
