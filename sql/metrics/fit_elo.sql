-- kernel: elo
-- grain: in: one comparison and source in service order; out: one item of a group
-- inputs: int_source_comparisons, int_groups, int_items
-- columns:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   value: rating (Elo)
--   comparisons: updates of the rating (count)
-- columns fit_elo_order:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   permutations: random orders of the sessions (count)
--   min_elo: lowest rating over the orders (Elo). null: no orders
--   p025_elo: 2.5 % quantile over the orders (Elo). null: no orders
--   median_elo: median over the orders (Elo). null: no orders
--   p975_elo: 97.5 % quantile over the orders (Elo). null: no orders
--   max_elo: highest rating over the orders (Elo). null: no orders
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
order by g.group_id, c.service_rank nulls last, c.updated_at nulls last, c.slate_id, a, b, c.outcome
