-- grain: one score of a rater and an item, with what the scores of its stimulus and item suggest;
--     whole experiments only
-- inputs: int_judged, key_screenable
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   item: item
--   stimulus: name of the stimulus, or its id as text
--   score: score (the experiment's scale)
--   stimulus_n: scores of the stimulus (count). null: the dimension has fewer than five different
--     scores
--   stimulus_mean: mean of these (the experiment's scale). null: as stimulus_n
--   stimulus_sd: their standard deviation, divided by n (the experiment's scale). null: as
--     stimulus_n
--   reach: distance from their mean beyond which BT.500 counts a score (the experiment's scale).
--     null: as stimulus_n, or a single score
--   item_mean: mean of the item's scores (the experiment's scale). null: as stimulus_n
--   item_sd: their standard deviation, divided by n (the experiment's scale). null: as stimulus_n
with
-- Of ratings that screening may leave out: the population is without them.
scores as (
  select experiment_id, dimension, rater_id, session_id, slate_id, item, stimulus, score, has_scale
  from int_judged
  join key_screenable using (dimension_id, item_id)
  where left_out_by is null and score is not null and rater_id is not null
),
moments as (
  select
    experiment_id, dimension, stimulus,
    count(*) as n,
    sorted_sum(score) / count(*) as mean
  from scores
  where has_scale
  group by experiment_id, dimension, stimulus
),
spreads as (
  select
    experiment_id, dimension, stimulus, any_value(m.n) as n, any_value(mean) as mean,
    ordered_sum((score - mean) ** 2, score) as squares,
    ordered_sum((score - mean) ** 4, score) as fourths
  from scores
  join moments as m using (experiment_id, dimension, stimulus)
  group by experiment_id, dimension, stimulus
),
conditions as (
  select experiment_id, dimension, item, sorted_sum(score) / count(*) as mean,
    count(*) as n
  from scores
  where has_scale
  group by experiment_id, dimension, item
),
condition_spreads as (
  select
    experiment_id, dimension, item, any_value(mean) as mean,
    sqrt(ordered_sum((score - mean) ** 2, score) / any_value(n)) as deviation
  from scores
  join conditions using (experiment_id, dimension, item)
  group by experiment_id, dimension, item
)
select
  s.* exclude (has_scale),
  l.n as stimulus_n, l.mean as stimulus_mean, sqrt(squares / l.n) as stimulus_sd,
  sqrt(squares / nullif(l.n - 1, 0)) * case
    when l.n * fourths / nullif(squares ** 2, 0) between 2 and 4 then 2 else sqrt(20) end as reach,
  c.mean as item_mean, c.deviation as item_sd
from scores as s
left join spreads as l using (experiment_id, dimension, stimulus)
left join condition_spreads as c using (experiment_id, dimension, item)
