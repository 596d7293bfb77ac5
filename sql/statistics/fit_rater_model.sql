-- kernel: rater_model
-- grain: in: one scored rating; out: one item
-- inputs: key_score_votes
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
select dimension_id, rater_no as rater, item_id as item, score
from key_score_votes
where rater_no > 0
order by vote_no
