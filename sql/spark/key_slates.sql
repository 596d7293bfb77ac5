-- Joined with the sessions, grouped and joined with the slates by the same key, ratings and slates
-- cross the network once.
-- Grouped by the session's number, which Spark does not know to go with the key, they cross it
-- twice.
with
listed as (
  select experiment_id, session_id, slate_id, max(updated_at) as updated_at
  from (
    select /*+ repartition(experiment_id, session_id) */ experiment_id, session_id, slate_id,
      updated_at from stg_slates
  )
  group by experiment_id, session_id, slate_id
),
weights as (
  select d.dimension_id, w.experiment_id, w.session_id, w.slate_id, w.weight
  from stg_weights as w
  join int_dimensions as d using (experiment_id, dimension)
),
grouped as (
  select
    dimension_id, experiment_id, session_id, slate_id,
    min(session_no) as session_no,
    min(job_no) as job_no,
    min(rater_no) as rater_no,
    count(score) as scored,
    min(item_id) filter (where score is not null) as item_a,
    max(item_id) filter (where score is not null) as item_b,
    min_by(score, item_id) filter (where score is not null) as score_a,
    max_by(score, item_id) filter (where score is not null) as score_b
  from (select /*+ repartition(experiment_id, session_id) */ * from int_population
    where slate_id is not null)
  group by dimension_id, experiment_id, session_id, slate_id
)
select
  g.dimension_id, g.session_no, g.slate_id, g.job_no, g.rater_no, g.scored, g.item_a, g.item_b,
  l.updated_at,
  coalesce(w.weight, cast(1 as double)) as weight,
  case
    when scored < 2 then 'fewer than two scores'
    when scored > 2 and conventions().pairs = 'two' then 'more than two scores'
    when item_a = item_b then 'one item twice'
  end as skip_reason,
  case when skip_reason is null and scored = 2
    then cast(sign(score_a - score_b) as tinyint) end as outcome
from grouped as g
left join listed as l using (experiment_id, session_id, slate_id)
left join weights as w using (dimension_id, experiment_id, session_id, slate_id)
