-- grain: one item, per experiment, dimension and source
-- inputs: fit_bradley_terry_intervals, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   draws_tried: resamples of the group's raters (count)
--   draws_used: resamples in which every log worth is finite; the others count as infinite (count)
--   ci_low: lower end of the 95 % interval of the log worth (natural logarithm). null: the interval
--     is open on this side, no raters were resampled, or the item is_tied
--   ci_high: upper end of the 95 % interval of the log worth (natural logarithm). null: the
--     interval is open on this side, no raters were resampled, or the item is_tied
select
  g.experiment_id,
  g.dimension,
  g.source,
  i.item,
  f.* exclude (group_id, item_id)
from fit_bradley_terry_intervals as f
join int_groups as g using (group_id)
join int_items as i using (item_id)
order by g.experiment_id, g.dimension, g.source, i.item
