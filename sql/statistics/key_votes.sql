-- grain: one comparison
-- inputs: key_comparisons
-- columns:
--   vote_no: number of the comparison in the service order of its dimension, from 1
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the ratings name none
--   slate_id: slate
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_a: number in int_items of the item that sorts first
--   item_b: number in int_items of the other item
--   outcome: 1: item_a won, -1: item_b won, 0: tie
select
  cast(row_number() over (
    order by dimension_id, session_no nulls last, updated_at nulls last, slate_id, item_a, item_b, outcome
  ) as integer) as vote_no,
  dimension_id, session_no, slate_id, rater_no, item_a, item_b, outcome
from key_comparisons
