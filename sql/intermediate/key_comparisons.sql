-- stored: view
-- grain: one comparison: a slate and dimension with exactly two scores of two different items; by
--     convention each pair of more
-- inputs: key_slates, key_slate_scores
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the ratings name none
--   slate_id: slate
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_a: number in int_items of the item that sorts first
--   item_b: number in int_items of the other item
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   outcome: 1: item_a won, -1: item_b won, 0: tie
--   weight: comparisons that it counts as (count); 1 unless the ratings state another
select
  dimension_id, session_no, slate_id, job_no, coalesce(rater_no, 0) as rater_no, item_a, item_b,
  updated_at, outcome, weight
from key_slates
where outcome is not null
union all
select
  s.dimension_id, s.session_no, s.slate_id, s.job_no, coalesce(s.rater_no, 0) as rater_no,
  a.item_id as item_a, b.item_id as item_b, s.updated_at,
  cast(sign(a.score - b.score) as tinyint) as outcome, s.weight
from key_slates as s
join key_slate_scores as a
  on a.dimension_id = s.dimension_id and a.session_no is not distinct from s.session_no
    and a.slate_id = s.slate_id
join key_slate_scores as b
  on b.dimension_id = s.dimension_id and b.session_no is not distinct from s.session_no
    and b.slate_id = s.slate_id
where a.item_id < b.item_id
