-- grain: one item, per experiment, dimension and source
-- inputs: fit_bradley_terry, int_groups, int_items
-- units: value, std_error, ci_low, ci_high: log worth, summing to zero within a class; rank 1 is the best of a class
-- nulls: std_error NULL for an item alone in its class; interval and rank ends NULL without resampled raters
select
  g.experiment_id,
  g.dimension,
  g.source,
  i.item,
  f.* exclude (group_id, item_id)
from fit_bradley_terry as f
join int_groups as g using (group_id)
join int_items as i using (item_id)
order by g.experiment_id, g.dimension, g.source, i.item
