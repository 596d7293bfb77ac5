-- grain: one ranking: a class of comparable items, unit and k, per experiment and dimension; whole
--     experiments only
-- inputs: fit_pair_robustness, fit_score_robustness, int_directions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   kind: what ranks: bradley_terry where items are compared, otherwise mean
--   direction: which end is better, higher or lower. null: unknown, the first are the highest
--   class: set of items with finite differences, from 0
--   unit: what is left out: vote, rater or session
--   k: number of first items of which at least one must change
--   units: votes, raters or sessions that could be left out (count)
--   at_most: units whose absence changes the first k (count). null: see reason
--   is_exact: whether no smaller set exists; otherwise a smaller one may. null: see reason
--   leaving: an item that leaves the first k. null: see reason
--   entering: an item that enters; for k = 1 the new first. null: see reason
--   reason: why there is no number. null: there is one
with
fits as (
  select 'bradley_terry' as kind, * from fit_pair_robustness
  union all
  select 'mean' as kind, * from fit_score_robustness
)
select
  d.experiment_id,
  d.dimension,
  f.kind,
  d.direction,
  f.class,
  ['vote', 'rater', 'session'][f.unit + 1] as unit,
  f.k,
  f.units,
  f.at_most,
  f.is_exact,
  o.item as leaving,
  n.item as entering,
  case f.reason
    when 1 then 'Bradley-Terry has no finite worths'
    when 2 then 'too few items'
    when 3 then 'no set of up to half of them was found'
    when 4 then 'the places are tied already'
  end as reason
from fits as f
join int_directions as d using (dimension_id)
left join int_items as o on o.item_id = f.leaving
left join int_items as n on n.item_id = f.entering
order by d.experiment_id, d.dimension, f.kind, f.class, f.unit, f.k
