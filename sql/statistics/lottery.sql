-- grain: one item, per experiment and dimension with comparisons
-- inputs: fit_pair_robustness_orders, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   item: item
--   probability_first: share of random orders of the sessions in which online Elo ranks the item
--     first. null: too many comparisons for 100 orders
select d.experiment_id, d.dimension, i.item, f.probability_first
from fit_pair_robustness_orders as f
join int_dimensions as d using (dimension_id)
join int_items as i using (item_id)
order by d.experiment_id, d.dimension, i.item
