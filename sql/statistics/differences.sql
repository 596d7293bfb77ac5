-- grain: one pair of items with a finite difference, per experiment, dimension and estimate; whole
--     experiments only
-- inputs: fit_worth_differences, fit_mean_differences, int_directions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   estimate: bradley_terry where items are compared, otherwise mean
--   item_1: the item that sorts first
--   item_2: the other item
--   difference: item_1 minus item_2 (log worths or the experiment's scale)
--   std_error: standard error clustered by rater (log worths or the experiment's scale). null: see
--     reason
--   df: degrees of freedom: raters less one. null: see reason
--   p: two-sided p-value of Student's t. null: see reason
--   p_holm: p-value after Holm's correction for all pairs of a class. null: see reason
--   p_bh: p-value after Benjamini and Hochberg's correction for all pairs of a class. null: see
--     reason
--   is_separated: whether p_holm is below 0.05. null: see reason
--   half_width: half the width of the 95 % interval of the difference, by Student's t (log worths
--     or the experiment's scale). null: see reason
--   reason: why the difference has no test. null: it has one
with
fits as (
  select 'bradley_terry' as estimate, * from fit_worth_differences
  union all
  select 'mean' as estimate, * from fit_mean_differences
)
select
  d.experiment_id,
  d.dimension,
  f.estimate,
  a.item as item_1,
  b.item as item_2,
  d.sign * f.difference as difference,
  f.std_error,
  f.df,
  f.p,
  f.p_holm,
  f.p_bh,
  f.p_holm < 0.05 as is_separated,
  f.half_width,
  case f.reason
    when 1 then 'fewer than two raters'
    when 2 then 'no variation'
    when 4 then 'more than 100 items'
    when 5 then 'no other item to compare with'
  end as reason
from fits as f
join int_directions as d using (dimension_id)
join int_items as a on a.item_id = f.item_1
join int_items as b on b.item_id = f.item_2
order by d.experiment_id, d.dimension, f.estimate, a.item, b.item
