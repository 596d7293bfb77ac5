-- kernel: pair_robustness
-- grain: in: one comparison; out: one rule, unit and k
-- inputs: key_comparisons
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   rule: number of the rule
--   unit: 0: vote, 1: rater, 2: session
--   k: the first k items must be others
--   units: votes, raters or sessions (count)
--   at_most: units without which the first k are others (count). null: see reason
--   is_exact: whether no smaller set exists. null: see reason
--   leaving: number of an item that leaves the first k. null: see reason
--   entering: number of an item that enters. null: see reason
--   reason: number of the reason for nulls; 0 for none
-- columns fit_pair_robustness_sets:
--   dimension_id: number of the dimension in int_dimensions
--   rule: number of the rule
--   unit: 0: vote, 1: rater, 2: session
--   k: the first k items must be others
--   left_out: number of the rater or session; of a vote that of its session, 0 if it has none
--   place: place of a vote in its session in the service order, from 1. null: not a vote
-- columns fit_pair_robustness_orders:
--   dimension_id: number of the dimension in int_dimensions
--   item_id: number of the item in int_items
--   probability_first: share of random orders of the sessions in which online Elo ranks the item
--     first. null: too many comparisons for 100 orders
select
  dimension_id,
  rater_no as rater,
  coalesce(session_no, 0) as session,
  item_a as a,
  item_b as b,
  outcome
from key_comparisons
order by dimension_id, session_no nulls last, updated_at nulls last, slate_id, a, b, outcome
