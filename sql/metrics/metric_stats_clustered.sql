-- grain: one item, per experiment, dimension and source
-- inputs: int_score_clusters, fit_cluster_critical_values, metric_stats
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   n: ratings (count)
--   raters: raters; ratings without a rater count as one rater's (count)
--   mean: mean score (the experiment's scale). null: the scores are too large for a sum
--   sem: standard error of the mean if ratings are independent, as in metric_stats (the
--     experiment's scale). null: a single rating, or scores too large for a sum
--   clustered_sem: standard error of the mean if a rater's ratings depend on each other (the
--     experiment's scale). null: a single rater, or scores too large for a sum
--   clustered_ci_low: lower end of the interval, 95 % or by convention, with clustered_sem (the
--     experiment's scale). null: clustered_sem is null
--   clustered_ci_high: upper end of the interval, 95 % or by convention, with clustered_sem (the
--     experiment's scale). null: clustered_sem is null
with
errors as (
  select
    c.*,
    finite(sqrt(squares * raters / nullif(raters - 1, 0)) / n) as clustered_sem,
    critical * clustered_sem as half
  from int_score_clusters as c
  left join fit_cluster_critical_values as f on f.df = c.raters - 1
)
select
  e.experiment_id,
  e.dimension,
  e.source,
  e.item,
  e.n,
  e.raters,
  s.mean,
  s.sem,
  e.clustered_sem,
  finite(e.mean - half) as clustered_ci_low,
  finite(e.mean + half) as clustered_ci_high
from errors as e
join metric_stats as s using (experiment_id, dimension, source, item)
order by e.experiment_id, e.dimension, e.source, e.item
