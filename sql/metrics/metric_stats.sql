-- grain: one item, per experiment, dimension and source
-- inputs: int_score_counts, int_score_cells, int_quartiles, fit_critical_values, fit_bootstrap
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   n: ratings (count)
--   mean: mean score (the experiment's scale). null: the scores are too large for a sum
--   std: standard deviation (the experiment's scale). null: a single rating, or scores too large
--     for a sum
--   sem: standard error of the mean (the experiment's scale). null: a single rating, or scores too
--     large for a sum
--   ci_low: lower end of the interval, 95 % or by convention, of the mean (the experiment's scale).
--     null: a single rating, or scores too large for a sum
--   ci_high: upper end of the interval, 95 % or by convention, of the mean (the experiment's
--     scale). null: a single rating, or scores too large for a sum
--   min: lowest score (the experiment's scale)
--   q1: first quartile, type 7 or by convention (the experiment's scale). null: the scores are too
--     large for a difference
--   median: median, type 7 (the experiment's scale). null: the scores are too large for a
--     difference
--   q3: third quartile, type 7 or by convention (the experiment's scale). null: the scores are too
--     large for a difference
--   max: highest score (the experiment's scale)
with
squares as (
  select experiment_id, dimension, source, item,
    sorted_sum(c.n * (score - mean) ** 2) as squares
  from int_score_counts as c
  join int_score_cells using (experiment_id, dimension, source, item)
  group by experiment_id, dimension, source, item
),
spreads as (
  select
    *,
    sqrt(squares / nullif(n - case conventions().stats.sd when 'n' then 0 else 1 end, 0)) as std,
    std / sqrt(n) as sem
  from int_score_cells
  join squares using (experiment_id, dimension, source, item)
  join int_quartiles using (experiment_id, dimension, source, item)
)
select
  experiment_id, dimension, source, item,
  s.n,
  finite(mean) as mean,
  finite(std) as std,
  finite(sem) as sem,
  finite(coalesce(b.low, mean - critical * sem)) as ci_low,
  finite(coalesce(b.high, mean + critical * sem)) as ci_high,
  min,
  finite(q1) as q1,
  finite(median) as median,
  finite(q3) as q3,
  max
from spreads as s
left join fit_critical_values as f on f.df = s.n - 1
left join fit_bootstrap as b using (cell_id)
order by experiment_id, dimension, source, item
