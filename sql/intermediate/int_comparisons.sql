-- stored: view
-- grain: one comparison: a slate and dimension with exactly two scores of two different items; by convention each pair of more
-- inputs: int_slates, int_population
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   session_id: session. null: the ratings name none
--   slate_id: slate. null: the rating names none
--   job_id: job; '' for none
--   rater_id: rater. null: unknown
--   service_rank: position of the session in the service order, from 1. null: the rating names no session
--   item_a: the item that sorts first
--   item_b: the other item
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   outcome: 1: item_a won, -1: item_b won, 0: tie
select * exclude (scored, skip_reason)
from int_slates
where outcome is not null
union all
select
  s.* exclude (scored, skip_reason)
  replace (a.item as item_a, b.item as item_b, cast(sign(a.score - b.score) as tinyint) as outcome)
from int_slates as s
join int_population as a
  on a.experiment_id = s.experiment_id and a.dimension = s.dimension
  and a.session_id is not distinct from s.session_id and a.slate_id = s.slate_id
join int_population as b
  on b.experiment_id = s.experiment_id and b.dimension = s.dimension
  and b.session_id is not distinct from s.session_id and b.slate_id = s.slate_id
where conventions().pairs = 'all' and s.scored > 2 and a.score is not null and b.score is not null and a.item < b.item
