-- grain: one comparison of a session of which the search for the fewest votes leaves out some
-- inputs: key_comparisons, fit_pair_robustness_sets
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the ratings name none
--   place: place in the session in the service order, from 1
--   slate_id: slate
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_a: number in int_items of the item that sorts first
--   item_b: number in int_items of the other item
--   outcome: 1: item_a won, -1: item_b won, 0: tie
with
sessions as (
  select distinct dimension_id, left_out as session
  from fit_pair_robustness_sets
  where unit = 0
)
select
  c.dimension_id, c.session_no,
  row_number() over (
    partition by c.dimension_id, c.session_no
    order by c.updated_at nulls last, c.slate_id, c.item_a, c.item_b, c.outcome
  ) as place,
  c.slate_id, c.rater_no, c.item_a, c.item_b, c.outcome
from key_comparisons as c
join sessions as s on s.dimension_id = c.dimension_id and s.session = coalesce(c.session_no, 0)
