-- grain: one item, per experiment, dimension and estimate; whole experiments only
-- inputs: fit_worth_differences_items, fit_mean_differences_items, int_directions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   estimate: bradley_terry where items are compared, otherwise mean
--   direction: which end is better, higher or lower. null: unknown
--   class: set of items with finite differences, from 0; compare within it only
--   item: item
--   value: estimate (log worths or the experiment's scale)
--   rank: rank in the class; 1 is the best, the highest where no direction is known
--   rank_best: best rank in the class that Holm's test of the item's n - 1 comparisons with the
--     others leaves at 5 %. null: see reason
--   rank_worst: worst rank that it leaves. null: see reason
--   p_first: p-value of the difference from the first of the class: Holm's correction for the n - 1
--     comparisons with it. null: it is the first, or see reason
--   probability_best: probability of rank 1 in the class, from 10,000 draws of the estimates' t
--     distribution. null: see reason
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
  d.direction,
  f.class,
  i.item,
  d.sign * f.value as value,
  f.rank,
  f.rank_best,
  f.rank_worst,
  f.p_first,
  f.probability_best,
  case f.reason
    when 1 then 'fewer than two raters'
    when 2 then 'no variation'
    when 4 then 'more than 100 items'
    when 5 then 'no other item to compare with'
  end as reason
from fits as f
join int_directions as d using (dimension_id)
join int_items as i using (item_id)
order by d.experiment_id, d.dimension, f.estimate, f.class, f.rank, i.item
