-- grain: one item, per experiment, dimension and source
-- inputs: int_score_counts, int_source_scores, fit_critical_values
-- units: the experiment's own scale; quartiles by linear interpolation (type 7)
-- nulls: std, sem and interval NULL where one rating alone gives none
with
means as (
  select
    experiment_id, dimension, source, item,
    cast(sum(n) as bigint) as n,
    fsum(score * n order by score) / sum(n) as mean
  from int_score_counts
  group by experiment_id, dimension, source, item
),
squares as (
  select experiment_id, dimension, source, item, fsum(c.n * (score - mean) ** 2 order by score) as squares
  from int_score_counts as c
  join means using (experiment_id, dimension, source, item)
  group by experiment_id, dimension, source, item
),
quartiles as (
  select
    experiment_id, dimension, source, item,
    min(score) as min,
    quantile_cont(score, [0.25, 0.5, 0.75]) as q,
    max(score) as max
  from int_source_scores
  group by experiment_id, dimension, source, item
),
spreads as (
  select
    *,
    sqrt(squares / nullif(n - case getvariable('conventions').stats.sd when 'n' then 0 else 1 end, 0)) as std,
    std / sqrt(n) as sem
  from means
  join squares using (experiment_id, dimension, source, item)
  join quartiles using (experiment_id, dimension, source, item)
)
select
  experiment_id, dimension, source, item,
  s.n, mean, std, sem,
  mean - critical * sem as ci_low,
  mean + critical * sem as ci_high,
  min, q[1] as q1, q[2] as median, q[3] as q3, max
from spreads as s
left join fit_critical_values as f on f.df = s.n - 1
order by experiment_id, dimension, source, item
