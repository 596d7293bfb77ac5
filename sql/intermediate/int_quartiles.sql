-- grain: one item, per experiment, dimension and source
-- inputs: int_score_counts
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   q1: first quartile, type 7 or by convention (the experiment's scale)
--   q3: third quartile, type 7 or by convention (the experiment's scale)
with
ranked as (
  select
    experiment_id, dimension, source, item, score,
    sum(n) over (partition by experiment_id, dimension, source, item order by score) as upto,
    sum(n) over (partition by experiment_id, dimension, source, item) as n
  from int_score_counts
),
-- the depth of the lower quartile, counted from 1; the upper one is as deep from above
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
    n + 1 - lower_depth as upper_depth
  from ranked
),
neighbours as (
  select
    experiment_id, dimension, source, item,
    any_value(lower_depth) as lower_depth,
    any_value(upper_depth) as upper_depth,
    min(score) filter (where upto >= floor(lower_depth)) as lower_below,
    min(score) filter (where upto >= ceil(lower_depth)) as lower_above,
    min(score) filter (where upto >= floor(upper_depth)) as upper_below,
    min(score) filter (where upto >= ceil(upper_depth)) as upper_above
  from depths
  group by experiment_id, dimension, source, item
)
select
  experiment_id, dimension, source, item,
  lower_below + (lower_depth - floor(lower_depth)) * (lower_above - lower_below) as q1,
  upper_below + (upper_depth - floor(upper_depth)) * (upper_above - upper_below) as q3
from neighbours
order by experiment_id, dimension, source, item
