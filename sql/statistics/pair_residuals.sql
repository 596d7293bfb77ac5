-- grain: one compared pair of items, per experiment and dimension
-- inputs: fit_pair_fit_pairs, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   item_1: the item that sorts first
--   item_2: the other item
--   n: comparisons (count)
--   share: share that item_1 won, ties half
--   expected: share that Bradley-Terry predicts. null: there is no fit
--   residual: their difference in standard errors of a share. null: there is no fit
--   worst_rank: 1 for the pair that Bradley-Terry explains worst. null: there is no fit
select
  d.experiment_id,
  d.dimension,
  a.item as item_1,
  b.item as item_2,
  f.n,
  f.share,
  f.expected,
  f.residual,
  case when f.residual is not null then rank_of(abs(f.residual), f.dimension_id) end as worst_rank
from fit_pair_fit_pairs as f
join int_dimensions as d using (dimension_id)
join int_items as a on a.item_id = f.item_1
join int_items as b on b.item_id = f.item_2
order by d.experiment_id, d.dimension, a.item, b.item
