-- kernel: rater_model
-- grain: in: one score of a rater and item; out: one item
-- inputs: key_rater_scores
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   item_id: number of the item in int_items
--   n: ratings (count)
--   quality: mean weighted by the raters' consistency, without their bias (the experiment's scale). null: see reason
--   std_error: its standard error (the experiment's scale). null: see reason
--   reason: number of the reason for nulls; 0 for none
-- columns fit_rater_model_raters:
--   dimension_id: number of the dimension in int_dimensions
--   rater_no: number of the rater in int_raters
--   n: ratings (count)
--   bias: mean difference from the qualities (the experiment's scale). null: see reason
--   inconsistency: standard deviation of the rest (the experiment's scale). null: see reason
--   reason: number of the reason for nulls; 0 for none
select dimension_id, rater_no as rater, item_id as item, score, cast(sum(n) as double) as n
from key_rater_scores
where rater_no > 0 and item_id is not null
group by dimension_id, rater_no, item_id, score
order by dimension_id, rater, item, score
