-- grain: one item, per experiment, dimension and source
-- inputs: int_score_counts
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   min: lowest score (the experiment's scale)
--   q1: first quartile, type 7 or by convention (the experiment's scale)
--   median: median, type 7 (the experiment's scale)
--   q3: third quartile, type 7 or by convention (the experiment's scale)
--   max: highest score (the experiment's scale)
with
ranked as (
  select
    experiment_id, dimension, source, item, score,
    sum(n) over (partition by experiment_id, dimension, source, item order by score) as upto,
    sum(n) over (partition by experiment_id, dimension, source, item) as n
  from int_score_counts
),
-- the depth of the lower quartile and of the median, counted from 1; the upper quartile is as deep
-- from above
depths as (
  select
    *,
    greatest(1, least(n, case conventions().stats.quartiles
      when 'exclusive' then (n + 1) / 4
      when 'type_5' then n / 4 + 1 / 2
      when 'type_8' then n / 4 + 5 / 12
      when 'hinges' then (ceil(n / 2) + 1) / 2
      when 'halves' then (floor(n / 2) + 1) / 2
      else (n + 3) / 4
    end)) as lower_depth,
    n + 1 - lower_depth as upper_depth,
    (n + 1) / 2 as median_depth
  from ranked
),
neighbours as (
  select
    experiment_id, dimension, source, item,
    any_value(lower_depth) as lower_depth,
    any_value(upper_depth) as upper_depth,
    min(score) as min,
    max(score) as max,
    min(score) filter (where upto >= floor(median_depth)) as median_below,
    min(score) filter (where upto >= ceil(median_depth)) as median_above,
    min(score) filter (where upto >= floor(lower_depth)) as lower_below,
    min(score) filter (where upto >= ceil(lower_depth)) as lower_above,
    min(score) filter (where upto >= floor(upper_depth)) as upper_below,
    min(score) filter (where upto >= ceil(upper_depth)) as upper_above
  from depths
  group by experiment_id, dimension, source, item
)
select
  experiment_id, dimension, source, item,
  min,
  lower_below + (lower_depth - floor(lower_depth)) * (lower_above - lower_below) as q1,
  median_below / 2 + median_above / 2 as median,
  upper_below + (upper_depth - floor(upper_depth)) * (upper_above - upper_below) as q3,
  max
from neighbours
order by experiment_id, dimension, source, item
