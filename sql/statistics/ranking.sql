-- grain: one item, per experiment, dimension and estimate; whole experiments only
-- inputs: fit_worth_differences_items, fit_mean_differences_items, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   estimate: what is compared: bradley_terry or mean
--   class: set of items with finite differences, from 0; compare within it only
--   item: item
--   value: estimate (log worths or the experiment's scale)
--   rank: rank in the class; 1 is the highest
--   rank_best: best rank in the class, by the simultaneous 95 % interval. null: see reason
--   rank_worst: worst rank in the class, by the simultaneous 95 % interval. null: see reason
--   probability_best: probability of being the highest of the class, from 10,000 draws of the
--     estimates' t distribution. null: see reason
--   reason: why the item has no interval. null: it has one
with
fits as (
  select 'bradley_terry' as estimate, * from fit_worth_differences_items
  union all
  select 'mean' as estimate, * from fit_mean_differences_items
)
select
  d.experiment_id,
  d.dimension,
  f.estimate,
  f.class,
  i.item,
  f.value,
  f.rank,
  f.rank_best,
  f.rank_worst,
  f.probability_best,
  case f.reason
    when 1 then 'fewer than two raters'
    when 2 then 'no variation'
    when 4 then 'more than 100 items'
    when 5 then 'no other item to compare with'
  end as reason
from fits as f
join int_dimensions as d using (dimension_id)
join int_items as i using (item_id)
order by d.experiment_id, d.dimension, f.estimate, f.class, f.rank, i.item
