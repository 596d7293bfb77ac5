-- grain: one pair of compared items, per experiment, dimension and source
-- inputs: key_pairs, key_sources, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item_a: the item that sorts first
--   item_b: the other item
--   wins_a: comparisons that item_a won (count)
--   wins_b: comparisons that item_b won (count)
--   ties: tied comparisons (count)
select
  g.experiment_id,
  g.dimension,
  g.source,
  a.item as item_a,
  b.item as item_b,
  cast(sum(p.wins_a) as bigint) as wins_a,
  cast(sum(p.wins_b) as bigint) as wins_b,
  cast(sum(p.ties) as bigint) as ties
from key_pairs as p
join key_sources as s using (dimension_id, job_no)
join int_groups as g using (group_id)
join int_items as a on a.item_id = p.item_a
join int_items as b on b.item_id = p.item_b
group by g.experiment_id, g.dimension, g.source, a.item, b.item
