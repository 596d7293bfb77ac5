-- grain: one item, per experiment, dimension and source
-- inputs: fit_bradley_terry, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   value: log worth, summing to zero within a class (natural logarithm)
--   std_error: sandwich standard error of the log worth if comparisons are independent (natural
--     logarithm). null: the item is alone in its class, is_tied, or the class is too large
--   clustered_std_error: the same if a rater's comparisons depend on each other (natural
--     logarithm). null: std_error is null, or fewer than two raters compared the item
--   rank: rank in the class; 1 is the highest
--   wins: comparisons won, ties as half (count)
--   n: comparisons (count)
--   component: set of linked items that the item belongs to, from 0
--   class: set of items with finite worths relative to each other, from 0; compare within it only
--   is_tied: whether every comparison within the class is a tie: then no error can be estimated
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
