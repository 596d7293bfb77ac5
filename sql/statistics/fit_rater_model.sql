-- kernel: rater_model
-- grain: in: one score of an item by a rater who gave five or more; out: one item
-- inputs: key_rater_scores, key_rater_items
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   item_id: number of the item in int_items
--   quality: mean weighted by the raters' consistency, without their bias (the experiment's scale).
--     null: see reason
--   std_error: its standard error (the experiment's scale). null: see reason
--   reason: number of the reason for nulls; 0 for none
-- columns fit_rater_model_raters:
--   dimension_id: number of the dimension in int_dimensions
--   rater_no: number of the rater in int_raters
--   bias: mean difference from the qualities (the experiment's scale). null: see reason
--   inconsistency: standard deviation of the rest (the experiment's scale). null: see reason
--   reason: number of the reason for nulls; 0 for none
with
-- With fewer scores a rater's residuals are small because the bias follows them, and the rater
-- would outweigh others.
raters as (
  select dimension_id, rater_no
  from key_rater_items
  where rater_no > 0
  group by dimension_id, rater_no
  having sum(n) >= 5
)
select dimension_id, rater_no as rater, item_id as item, score, cast(sum(n) as double) as n
from key_rater_scores
join raters using (dimension_id, rater_no)
where item_id is not null
group by dimension_id, rater_no, item_id, score
order by dimension_id, rater, item, score
