-- grain: one scored rating of an item
-- inputs: key_population
-- columns:
--   vote_no: number of the rating, from 1
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the rating names none
--   slate_id: slate. null: the rating names none
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_id: number of the item in int_items
--   score: score (the experiment's scale)
select
  cast(row_number() over (
    order by dimension_id, session_no nulls last, slate_id nulls last, item_id, rater_no nulls last, score
  ) as integer) as vote_no,
  dimension_id, session_no, slate_id, coalesce(rater_no, 0) as rater_no, item_id, score
from key_population
where score is not null and item_id is not null
