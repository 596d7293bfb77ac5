-- kernel: elo
-- grain: in: one comparison in service order; out: one item of a group
-- inputs: key_comparisons, key_sources
-- columns:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   value: rating (Elo)
--   comparisons: comparisons behind the rating, each by its weight (count)
-- columns fit_elo_order:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   permutations: random orders of the sessions (count)
--   min_elo: lowest rating over the orders (Elo). null: no orders
--   p025_elo: 2.5 % quantile over the orders (Elo). null: no orders
--   median_elo: median over the orders (Elo). null: no orders
--   p975_elo: 97.5 % quantile over the orders (Elo). null: no orders
--   max_elo: highest rating over the orders (Elo). null: no orders
-- columns fit_elo_history:
--   group_id: id of the group in int_groups, of a whole experiment
--   item_id: id of an item that the session compared, in int_items
--   session: session_no of the session in int_sessions; the highest integer for comparisons without
--     one
--   value: rating after the session (Elo)
--   comparisons: comparisons behind it until then, each by its weight (count)
-- The kernel counts each comparison in every group that key_sources lists for its dimension and
-- job.
select
  dimension_id,
  job_no,
  item_a as a,
  item_b as b,
  outcome,
  weight,
  coalesce(session_no, last_rank()) as session
from key_comparisons
order by dimension_id, session_no nulls last, updated_at nulls last, slate_id, a, b, outcome
