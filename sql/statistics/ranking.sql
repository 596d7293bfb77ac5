-- grain: one item, per experiment, dimension and estimate; whole experiments only
-- inputs: fit_worth_differences_items, fit_worth_differences_letters, fit_mean_differences_items,
--     fit_mean_differences_letters, int_dimensions, int_items
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
--   letters: items of the class that share a letter are not separated at 5 % after Holm's
--     correction. null: see reason
--   quasi_std_error: quasi standard error (log worths or the experiment's scale). null: see reason,
--     or fewer than three items, or the quasi variance is negative
--   probability_best: probability of being the highest of the class, from 10,000 draws of the
--     estimates' t distribution. null: see reason
--   reason: why the item has no interval. null: it has one
with
fits as (
  select 'bradley_terry' as estimate, * from fit_worth_differences_items
  union all
  select 'mean' as estimate, * from fit_mean_differences_items
),
lettered as (
  select 'bradley_terry' as estimate, * from fit_worth_differences_letters
  union all
  select 'mean' as estimate, * from fit_mean_differences_letters
),
-- a to z and A to Z, then a1 to Z1 and so on
letters as (
  select
    estimate, dimension_id, item_id,
    string_agg(
      chr(cast(letter_no % 52 + case when letter_no % 52 < 26 then 97 else 39 end as integer))
        || case when letter_no < 52 then ''
          else cast(cast(floor(letter_no / 52) as integer) as varchar) end,
      '' order by letter_no
    ) as letters
  from lettered
  group by estimate, dimension_id, item_id
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
  l.letters,
  f.quasi_std_error,
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
left join letters as l using (estimate, dimension_id, item_id)
order by d.experiment_id, d.dimension, f.estimate, f.class, f.rank, i.item
