-- grain: one slate and dimension of the population
-- inputs: key_population, int_sessions, stg_slates, stg_weights, int_dimensions
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the ratings name none
--   slate_id: slate
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters. null: unknown
--   scored: scores (count)
--   item_a: number in int_items of the scored item that sorts first. null: no score
--   item_b: number in int_items of the scored item that sorts last. null: no score
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   weight: comparisons that its comparison counts as (count); 1 unless the ratings state another
--   skip_reason: why the slate has no comparison. null: it has one, or by convention several
--   outcome: 1: item_a won, -1: item_b won, 0: tie. null: not a comparison of two scores
-- Grouped by numbers: a million slates take 0.6 s of CPU, 1.4 s with names. int_slates has the
-- names.
with
listed as (
  select s.session_no, l.slate_id, max(l.updated_at) as updated_at
  from stg_slates as l
  join int_sessions as s using (experiment_id, session_id)
  group by s.session_no, l.slate_id
),
weights as (
  select d.dimension_id, s.session_no, w.slate_id, w.weight
  from stg_weights as w
  join int_dimensions as d using (experiment_id, dimension)
  join int_sessions as s using (experiment_id, session_id)
),
grouped as (
  select
    dimension_id, session_no, slate_id,
    min(job_no) as job_no,
    min(rater_no) as rater_no,
    count(score) as scored,
    min(item_id) filter (where score is not null) as item_a,
    max(item_id) filter (where score is not null) as item_b,
    min_by(score, item_id) filter (where score is not null) as score_a,
    max_by(score, item_id) filter (where score is not null) as score_b
  from key_population
  where slate_id is not null
  group by dimension_id, session_no, slate_id
)
select
  g.* exclude (score_a, score_b),
  l.updated_at,
  coalesce(w.weight, 1) as weight,
  cast(case
    when scored < 2 then 'fewer than two scores'
    when scored > 2 and conventions().pairs = 'two' then 'more than two scores'
    when item_a = item_b then 'one item twice'
  end as enum ('fewer than two scores', 'more than two scores', 'one item twice')) as skip_reason,
  case when skip_reason is null and scored = 2
    then cast(sign(score_a - score_b) as tinyint) end as outcome
from grouped as g
left join listed as l using (session_no, slate_id)
left join weights as w using (dimension_id, session_no, slate_id)
