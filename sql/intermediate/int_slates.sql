-- grain: one slate and dimension of the population
-- inputs: int_population, stg_slates
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   session_id: session. null: the ratings name none
--   slate_id: slate
--   job_id: job; '' for none
--   rater_id: rater. null: unknown
--   service_rank: position of the session in the service order, from 1. null: the rating names no session
--   scored: ratings with a score (count)
--   item_a: the scored item that sorts first. null: no score
--   item_b: the scored item that sorts last. null: no score
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   skip_reason: why the slate has no comparison. null: it has one, or by convention several
--   outcome: 1: item_a won, -1: item_b won, 0: tie. null: not a comparison of two scores
with
listed as (
  select experiment_id, session_id, slate_id, max(updated_at) as updated_at
  from stg_slates
  group by experiment_id, session_id, slate_id
),
grouped as (
  select
    experiment_id, dimension, session_id, slate_id,
    min(job_id) as job_id,
    min(rater_id) as rater_id,
    min(service_rank) as service_rank,
    count(score) as scored,
    min(item) filter (where score is not null) as item_a,
    max(item) filter (where score is not null) as item_b,
    min_by(score, item) filter (where score is not null) as score_a,
    max_by(score, item) filter (where score is not null) as score_b
  from int_population
  where slate_id is not null
  group by experiment_id, dimension, session_id, slate_id
)
select
  g.* exclude (score_a, score_b),
  l.updated_at,
  case
    when scored < 2 then 'fewer than two scores'
    when scored > 2 and conventions().pairs = 'two' then 'more than two scores'
    when item_a = item_b then 'one item twice'
  end as skip_reason,
  case when skip_reason is null and scored = 2 then cast(sign(score_a - score_b) as tinyint) end as outcome
from grouped as g
left join listed as l using (experiment_id, session_id, slate_id)
