-- kernel: elo
-- grain: in: one comparison and source in service order; out: one item of a group
-- inputs: int_source_comparisons, int_groups, int_items
-- units: value in Elo; comparisons counts the updates that the item took part in
-- nulls: none
select
  g.group_id,
  a.item_id as a,
  b.item_id as b,
  c.outcome,
  coalesce(c.service_rank, last_rank()) as session
from int_source_comparisons as c
join int_groups as g using (experiment_id, dimension, source)
join int_items as a on a.experiment_id = c.experiment_id and a.item = c.item_a
join int_items as b on b.experiment_id = c.experiment_id and b.item = c.item_b
order by g.group_id, c.service_rank nulls last, c.updated_at nulls last, c.slate_id
