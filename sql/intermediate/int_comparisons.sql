-- stored: view
-- grain: one comparison: a slate and dimension with exactly two scores of two different items; by
--     convention each pair of more
-- inputs: key_comparisons, int_dimensions, int_sessions, int_jobs, int_raters, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   session_id: session. null: the ratings name none
--   slate_id: slate. null: the rating names none
--   job_id: job; '' for none
--   rater_id: rater. null: unknown
--   service_rank: position of the session in the service order, from 1. null: the rating names no
--     session
--   item_a: the item that sorts first
--   item_b: the other item
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   outcome: 1: item_a won, -1: item_b won, 0: tie
--   weight: comparisons that it counts as (count); 1 unless the ratings state another
select
  d.experiment_id,
  d.dimension,
  s.session_id,
  c.slate_id,
  coalesce(j.job_id, '') as job_id,
  r.rater_id,
  s.service_rank,
  a.item as item_a,
  b.item as item_b,
  c.updated_at,
  c.outcome,
  c.weight
from key_comparisons as c
join int_dimensions as d using (dimension_id)
left join int_sessions as s using (session_no)
left join int_jobs as j using (job_no)
left join int_raters as r using (rater_no)
join int_items as a on a.item_id = c.item_a
join int_items as b on b.item_id = c.item_b
