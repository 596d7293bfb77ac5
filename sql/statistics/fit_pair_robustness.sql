-- kernel: pair_robustness
-- grain: in: one comparison; out: one unit and k
-- inputs: key_comparisons, int_directions
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   class: set of items with finite differences, from 0
--   unit: 0: vote, 1: rater, 2: session
--   k: the first k items must be others
--   units: votes, raters or sessions (count)
--   at_most: units without which the first k are others (count). null: see reason
--   is_exact: whether no smaller set exists. null: see reason
--   leaving: number of an item that leaves the first k. null: see reason
--   entering: number of an item that enters. null: see reason
--   reason: number of the reason for nulls; 0 for none
select
  dimension_id,
  rater_no as rater,
  coalesce(session_no, 0) as session,
  item_a as a,
  item_b as b,
  cast(outcome * sign as tinyint) as outcome
from key_comparisons
join int_directions using (dimension_id)
order by dimension_id, a, b
