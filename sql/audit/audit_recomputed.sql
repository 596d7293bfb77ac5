-- grain: one recomputed number: experiment, kind, dimension, source, item and field
-- inputs: metric_win_loss, metric_percent_chosen, metric_percent_approved, metric_mean, metric_stats, metric_elo, metric_bayesian_elo
-- columns:
--   experiment_id: experiment
--   kind: metric kind
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   field: column of the metric's table
--   value: the number (as in the metric's table)
with
wide as (
  select 'win_loss' as kind, * from metric_win_loss
  union all by name
  select 'percent_chosen' as kind, * from metric_percent_chosen
  union all by name
  select 'percent_approved' as kind, * from metric_percent_approved
  union all by name
  select 'mean' as kind, * from metric_mean
  union all by name
  select 'stats' as kind, * from metric_stats
  union all by name
  select 'elo' as kind, * from metric_elo
  union all by name
  select 'bayesian_elo' as kind, * exclude (component) from metric_bayesian_elo
),
numbers as (
  select experiment_id, kind, dimension, source, item, cast(columns(* exclude (experiment_id, kind, dimension, source, item)) as double)
  from wide
)
select experiment_id, kind, dimension, source, item, field, value
from (
  unpivot numbers
  on columns(* exclude (experiment_id, kind, dimension, source, item))
  into name field value number
) as long (experiment_id, kind, dimension, source, item, field, value)
order by experiment_id, kind, dimension, source, item, field
