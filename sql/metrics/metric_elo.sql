-- grain: one item, per experiment, dimension and source
-- inputs: fit_elo, int_groups, int_items
-- units: value in Elo; comparisons counts the updates that the item took part in
-- nulls: none
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
