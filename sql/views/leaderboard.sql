-- grain: one item, per experiment, metric kind, dimension and source
-- inputs: stg_experiments, metric_bradley_terry, metric_bayesian_elo, metric_elo, metric_percent_chosen, metric_percent_approved, metric_stats
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   kind: metric: bradley_terry, bayesian_elo, elo, percent_chosen, percent_approved or mean
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   rank: position by value, the highest first; items with equal values share one
--   item: item. null: the rating has no stimulus
--   value: number of the item (the kind's unit: see the metric's model). null: it cannot be computed
--   low: lower end of the 95 % interval (as value). null: the kind has none, or it is open
--   high: upper end of the 95 % interval (as value). null: the kind has none, or it is open
--   n: comparisons or ratings of the item (count)
with
numbers as (
  select 'bradley_terry' as kind, experiment_id, dimension, source, item, value, ci_low as low, ci_high as high, n
  from metric_bradley_terry
  union all
  select 'bayesian_elo', experiment_id, dimension, source, item, value, p025, p975, n
  from metric_bayesian_elo
  union all
  select 'elo', experiment_id, dimension, source, item, value, null, null, comparisons
  from metric_elo
  union all
  select 'percent_chosen', experiment_id, dimension, source, item, value, null, null, n
  from metric_percent_chosen
  union all
  select 'percent_approved', experiment_id, dimension, source, item, value, null, null, n
  from metric_percent_approved
  union all
  select 'mean', experiment_id, dimension, source, item, mean, ci_low, ci_high, n
  from metric_stats
)
select
  experiment_id,
  e.experiment_name,
  n.kind,
  n.dimension,
  n.source,
  rank() over (partition by experiment_id, n.kind, n.dimension, n.source order by n.value desc nulls last) as rank,
  n.item,
  n.value,
  n.low,
  n.high,
  n.n
from numbers as n
left join stg_experiments as e using (experiment_id)
order by experiment_id, n.kind, n.dimension, n.source, rank, n.item
