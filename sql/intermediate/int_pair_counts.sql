-- written: with all
-- grain: one pair of compared items, per experiment, dimension and source
-- inputs: key_pairs, key_sources, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item_a: the item that sorts first
--   item_b: the other item
--   wins_a: comparisons that item_a won, each by its weight (count)
--   wins_b: comparisons that item_b won, each by its weight (count)
--   ties: tied comparisons, each by its weight (count)
select
  g.experiment_id,
  g.dimension,
  g.source,
  a.item as item_a,
  b.item as item_b,
  weighted_sum(p.wins_a, p.weight) as wins_a,
  weighted_sum(p.wins_b, p.weight) as wins_b,
  weighted_sum(p.ties, p.weight) as ties
from key_pairs as p
join key_sources as s using (dimension_id, job_no)
join int_groups as g using (group_id)
join int_items as a on a.item_id = p.item_a
join int_items as b on b.item_id = p.item_b
group by g.experiment_id, g.dimension, g.source, a.item, b.item
