-- grain: one item, per experiment, dimension and source
-- inputs: fit_elo_order, metric_elo, int_groups, int_items
-- units: Elo; the range of the rating over random orders of the sessions; spread_elo is max - min
-- nulls: range NULL where no order was tried
select
  g.experiment_id,
  g.dimension,
  g.source,
  i.item,
  e.value,
  f.* exclude (group_id, item_id),
  f.max_elo - f.min_elo as spread_elo
from fit_elo_order as f
join int_groups as g using (group_id)
join int_items as i using (item_id)
join metric_elo as e
  on e.experiment_id = g.experiment_id and e.dimension = g.dimension and e.source = g.source and e.item = i.item
order by g.experiment_id, g.dimension, g.source, i.item
