-- grain: one item, per experiment, dimension and source
-- inputs: fit_bayesian_elo, int_groups, int_items
-- units: value and interval ends in Elo; wins count half for a tie; component numbers from 0
-- nulls: none
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
