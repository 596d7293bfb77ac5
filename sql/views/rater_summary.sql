-- grain: one rater, per experiment and dimension
-- inputs: stg_experiments, stg_sessions, metric_raters, time_per_slate
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater; '' for ratings without one
--   sessions: sessions of the experiment that the rater began (count)
--   completed: those that the rater completed (count)
--   ratings: ratings (count)
--   comparisons: comparisons (count)
--   agreement_pct: share of preferences that agree with the majority of the others (percent). null:
--     none is comparable
--   correct_pct: share of correct ratings (percent). null: no rating could be correct
--   median_seconds: median time per slate, training left out (seconds). null: no slate has instants
with
begun as (
  select experiment_id, rater_id, count(*) as sessions,
    count(*) filter (where is_completed) as completed
  from stg_sessions
  group by experiment_id, rater_id
),
speed as (
  select experiment_id, rater_id, median(seconds) as median_seconds
  from time_per_slate
  where not is_training
  group by experiment_id, rater_id
)
select
  m.experiment_id,
  e.experiment_name,
  m.dimension,
  m.rater_id,
  coalesce(b.sessions, 0) as sessions,
  coalesce(b.completed, 0) as completed,
  m.ratings,
  m.comparisons,
  m.agreement_pct,
  m.correct_pct,
  s.median_seconds
from metric_raters as m
left join begun as b on b.experiment_id = m.experiment_id and b.rater_id = m.rater_id
left join speed as s on s.experiment_id = m.experiment_id and s.rater_id = m.rater_id
left join stg_experiments as e on e.experiment_id = m.experiment_id
order by m.experiment_id, m.dimension, m.rater_id
