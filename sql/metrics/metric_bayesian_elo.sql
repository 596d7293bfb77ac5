-- grain: one item, per experiment, dimension and source
-- inputs: fit_bayesian_elo, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   value: rating at the mode of the posterior (Elo)
--   wins: comparisons won, ties as half; weighted by rater quality where the convention has it
--     (count)
--   n: comparisons (count)
--   p005: 0.5 % quantile of the rating (Elo)
--   p025: 2.5 % quantile of the rating (Elo)
--   p05: 5 % quantile of the rating (Elo)
--   p50: 50 % quantile of the rating (Elo)
--   p95: 95 % quantile of the rating (Elo)
--   p975: 97.5 % quantile of the rating (Elo)
--   p995: 99.5 % quantile of the rating (Elo)
--   component: set of linked items that the item belongs to, from 0
select
  g.experiment_id,
  g.dimension,
  g.source,
  i.item,
  f.* exclude (group_id, item_id)
from fit_bayesian_elo as f
join int_groups as g using (group_id)
join int_items as i using (item_id)
order by g.experiment_id, g.dimension, g.source, i.item
