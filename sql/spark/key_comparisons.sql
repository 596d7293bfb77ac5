select
  dimension_id, session_no, slate_id, job_no, coalesce(rater_no, 0) as rater_no, item_a, item_b, updated_at, outcome
from key_slates
where outcome is not null
union all
select
  s.dimension_id, s.session_no, s.slate_id, s.job_no, coalesce(s.rater_no, 0) as rater_no,
  a.item_id as item_a, b.item_id as item_b, s.updated_at, cast(sign(a.score - b.score) as tinyint) as outcome
from key_slates as s
join key_slate_scores as a
  on a.dimension_id = s.dimension_id and a.session_no is not distinct from s.session_no and a.slate_id = s.slate_id
join key_slate_scores as b
  on b.dimension_id = s.dimension_id and b.session_no is not distinct from s.session_no and b.slate_id = s.slate_id
where a.item_id < b.item_id
