-- stored: view
-- written: with all
-- sorted by: experiment_id, dimension, service_rank, slate_id
-- grain: one slate and dimension of the population
-- inputs: key_slates, int_dimensions, int_sessions, int_jobs, int_raters, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   session_id: session. null: the ratings name none
--   slate_id: slate
--   job_id: job; '' for none
--   rater_id: rater. null: unknown
--   service_rank: position of the session in the service order, from 1. null: the rating names no
--     session
--   scored: ratings with a score (count)
--   item_a: the scored item that sorts first. null: no score
--   item_b: the scored item that sorts last. null: no score
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   skip_reason: why the slate has no comparison. null: it has one, or by convention several
--   outcome: 1: item_a won, -1: item_b won, 0: tie. null: not a comparison of two scores
select
  d.experiment_id,
  d.dimension,
  s.session_id,
  k.slate_id,
  coalesce(j.job_id, '') as job_id,
  r.rater_id,
  s.service_rank,
  k.scored,
  a.item as item_a,
  b.item as item_b,
  k.updated_at,
  cast(k.skip_reason as varchar) as skip_reason,
  k.outcome
from key_slates as k
join int_dimensions as d using (dimension_id)
left join int_sessions as s using (session_no)
left join int_jobs as j using (job_no)
left join int_raters as r using (rater_no)
left join int_items as a on a.item_id = k.item_a
left join int_items as b on b.item_id = k.item_b
