-- grain: one item, per experiment, dimension and source
-- inputs: fit_elo_order, metric_elo, int_groups, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   value: rating in service order (Elo)
--   permutations: random orders of the sessions (count)
--   min_elo: lowest rating over the orders (Elo). null: no orders
--   p025_elo: 2.5 % quantile over the orders (Elo). null: no orders
--   median_elo: median over the orders (Elo). null: no orders
--   p975_elo: 97.5 % quantile over the orders (Elo). null: no orders
--   max_elo: highest rating over the orders (Elo). null: no orders
--   spread_elo: max_elo - min_elo (Elo). null: no orders
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
  on e.experiment_id = g.experiment_id and e.dimension = g.dimension and e.source = g.source
    and e.item = i.item
order by g.experiment_id, g.dimension, g.source, i.item
