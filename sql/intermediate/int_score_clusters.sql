-- grain: one item with scores, per experiment, dimension and source
-- inputs: int_score_counts, int_source_scores
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   n: ratings (count)
--   raters: raters; ratings without a rater count as one rater's (count)
--   mean: mean score (the experiment's scale)
--   squares: squared sums of each rater's deviations from the mean, summed over raters (the experiment's scale squared)
with
means as (
  select experiment_id, dimension, source, item, sum(n) as n, fsum(score * n order by score) / sum(n) as mean
  from int_score_counts
  group by experiment_id, dimension, source, item
),
deviations as (
  select experiment_id, dimension, source, item, n, mean, fsum(score - mean order by score) as deviation
  from int_source_scores
  join means using (experiment_id, dimension, source, item)
  group by experiment_id, dimension, source, item, n, mean, coalesce(rater_id, '')
)
select
  experiment_id,
  dimension,
  source,
  item,
  cast(n as bigint) as n,
  count(*) as raters,
  mean,
  fsum(deviation ** 2 order by abs(deviation)) as squares
from deviations
group by experiment_id, dimension, source, item, n, mean
