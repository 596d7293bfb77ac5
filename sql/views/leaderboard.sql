-- grain: one item, per experiment, metric kind, dimension and source
-- inputs: stg_experiments, metric_bradley_terry, metric_bradley_terry_intervals,
--     metric_bradley_terry_fit, metric_bayesian_elo, metric_elo, metric_elo_order,
--     metric_percent_chosen, metric_percent_approved, metric_stats, metric_stats_clustered,
--     int_share_clusters, fit_cluster_critical_values, int_directions, int_roles
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   kind: metric: bradley_terry, bayesian_elo, elo, percent_chosen, percent_approved or mean
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   direction: which end is better, higher or lower. null: unknown
--   class: set of items that can be ranked together, from 0: those that votes link; of
--     bradley_terry those with finite worths relative to each other
--   rank: position in the class, the best value first, the highest where no direction is known;
--     items with equal values share one. null: the hidden reference, which is set aside
--   item: item. null: the rating has no stimulus
--   value: number of the item (the kind's unit: see the metric's model). null: it cannot be
--     computed
--   low: lower end of the interval (as value). null: too few raters, it is open, or the kind is elo
--   high: upper end of the interval (as value). null: too few raters, it is open, or the kind is
--     elo
--   interval: what the interval is; of means and shares at the level of the convention, of others
--     95 %, or less where it says so. null: the kind is elo
--   n: comparisons or ratings of the item (count)
--   is_reference: whether it is the hidden reference of a mean
--   p025_over_orders: 2.5 % quantile of elo over random orders of the sessions (Elo); the value, of
--     one order, may lie below. null: another kind, or no orders
--   p975_over_orders: 97.5 % quantile of the same (Elo); the value may lie above. null: another
--     kind, or no orders
with
shares as (
  select 'percent_chosen' as kind, experiment_id, dimension, source, item, value, n
    from metric_percent_chosen
  union all
  select 'percent_approved', experiment_id, dimension, source, item, value, n
    from metric_percent_approved
),
-- Wilson's interval of the share p of n ratings, or of as many as those of dependent ones are
-- worth.
wilson as (
  select
    *,
    value / conventions().percent_scale as p,
    coalesce(effective_n, n) as m,
    coalesce(critical, 1.959963984540054) as z,
    1 + z * z / m as width,
    (p + z * z / (2 * m)) / width as middle,
    sqrt(greatest(p * (1 - p) / m + z * z / (4 * m * m), 0)) * z / width as half,
    case when raters is null then 'Wilson, ratings independent'
      else 'Wilson, clustered by rater' end as interval
  from shares
  left join int_share_clusters using (kind, experiment_id, dimension, source, item)
  left join fit_cluster_critical_values on df = raters - 1
),
numbers as (
  select
    'bradley_terry' as kind, experiment_id, dimension, source, item, value, ci_low as low,
    ci_high as high,
    case when raters < 20 then 'raters resampled; too narrow with fewer than 20'
      else 'raters resampled' end as interval,
    n, null::double as p025_over_orders, null::double as p975_over_orders
  from metric_bradley_terry
  join metric_bradley_terry_fit using (experiment_id, dimension, source)
  left join metric_bradley_terry_intervals using (experiment_id, dimension, source, item)
  union all
  select 'bayesian_elo', experiment_id, dimension, source, item, value, p025, p975, 'credible', n,
    null, null
  from metric_bayesian_elo
  union all
  select
    'elo', e.experiment_id, e.dimension, e.source, e.item, e.value, null, null,
    null, e.comparisons, o.p025_elo, o.p975_elo
  from metric_elo as e
  left join metric_elo_order as o using (experiment_id, dimension, source, item)
  union all
  select
    kind, experiment_id, dimension, source, item, value,
    conventions().percent_scale * (middle - half), conventions().percent_scale * (middle + half),
    interval, n, null, null
  from wilson
  union all
  select
    'mean', s.experiment_id, s.dimension, s.source, s.item, s.mean, c.clustered_ci_low,
    c.clustered_ci_high,
    'clustered by rater', s.n, null, null
  from metric_stats as s
  left join metric_stats_clustered as c using (experiment_id, dimension, source, item)
),
placed as (
  select
    n.*,
    d.direction,
    d.sign,
    coalesce(case
      when n.kind = 'bradley_terry' then b.class
      when n.kind not in ('mean', 'percent_approved') or d.ground = 'votes' then b.component
    end, 0) as class,
    r.item is not null as is_reference
  from numbers as n
  join int_directions as d using (experiment_id, dimension)
  left join metric_bradley_terry as b using (experiment_id, dimension, source, item)
  left join int_roles as r
    on n.kind = 'mean' and r.role = 'reference' and r.experiment_id = n.experiment_id
    and r.item = n.item
)
select
  experiment_id,
  e.experiment_name,
  n.kind, n.dimension, n.source,
  n.direction, n.class,
  case when not is_reference
    then rank_of(n.sign * n.value,
      (experiment_id, n.kind, n.dimension, n.source, n.class, is_reference))
  end as rank,
  n.item, n.value, n.low, n.high, n.interval, n.n, n.is_reference,
  n.p025_over_orders, n.p975_over_orders
from placed as n
left join stg_experiments as e using (experiment_id)
order by experiment_id, n.kind, n.dimension, n.source, n.class, rank nulls first, n.item
