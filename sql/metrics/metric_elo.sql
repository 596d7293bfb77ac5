-- grain: one item, per experiment, dimension and source
-- inputs: fit_elo, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   value: rating (Elo)
--   comparisons: updates of the rating (count)
select
  g.experiment_id,
  g.dimension,
  g.source,
  i.item,
  f.value,
  f.comparisons
from fit_elo as f
join int_groups as g using (group_id)
join int_items as i using (item_id)
order by g.experiment_id, g.dimension, g.source, i.item
