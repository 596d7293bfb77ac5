-- grain: one slate and dimension of the population
-- inputs: int_population, stg_slates
-- units: outcome 1 item_a was preferred, -1 item_b, 0 a tie; item_a sorts before item_b
-- nulls: outcome NULL where the slate is not a comparison, for the reason in skip_reason
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
    when scored > 2 then 'more than two scores'
    when item_a = item_b then 'one item twice'
  end as skip_reason,
  case when skip_reason is null then cast(sign(score_a - score_b) as tinyint) end as outcome
from grouped as g
left join listed as l using (experiment_id, session_id, slate_id)
