-- grain: one item, per experiment, dimension and source
-- inputs: int_score_counts, int_source_scores
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   value: mean or median score (the experiment's scale; the rater's standard deviations for
--     rater_z). null: no rater of the item varies (rater_z only), or the scores are too large for a
--     sum
--   n: ratings, or raters for rater_mean (count). null: no rater of the item varies (rater_z only)
with
-- Named once: for each mention of a view the engine binds all that it reads.
ratings as (select * from int_source_scores where conventions().mean <> 'mean'),
scores as (
  select experiment_id, dimension, source, item, score, n as weight
  from int_score_counts
  where conventions().mean in ('mean', 'median')
),
rater_means as (
  select experiment_id, dimension, source, item,
    list_aggregate(list_sort(list(score)), 'favg') as score, 1 as weight
  from ratings
  where conventions().mean = 'rater_mean'
  group by experiment_id, dimension, source, item, rater_id
),
rater_scales as (
  select
    experiment_id, dimension, source, rater_id,
    list_aggregate(list_sort(list(score)), 'favg') as mean,
    min(score) as low,
    max(score) - min(score) as span,
    case
      when max(abs(score)) >= 1e150
        then cast('nan' as double) -- its square is too large for a double
      when conventions().mean = 'rater_z' then stddev_samp(score order by score)
        filter (where abs(score) < 1e150)
      else stddev_pop(score order by score) filter (where abs(score) < 1e150)
    end as std
  from ratings
  where conventions().mean in ('rater_z', 'rater_z_n', 'rater_minmax')
  group by experiment_id, dimension, source, rater_id
),
rater_z as (
  select experiment_id, dimension, source, item, 
    case conventions().mean
      when 'rater_minmax' then (score - low) / nullif(span, 0) else (score - mean) / nullif(std, 0)
    end as score, 1 as weight
  from ratings
  join rater_scales using (experiment_id, dimension, source, rater_id)
),
weighed as (
  select * from scores
  union all by name
  select * from rater_means
  union all by name
  select * from rater_z
),
medians as (
  select experiment_id, dimension, source, item, median(score) as median
  from ratings
  where conventions().mean = 'median'
  group by experiment_id, dimension, source, item
)
select
  experiment_id, dimension, source, item,
  finite(coalesce(any_value(median),
    ordered_sum(score * weight, score) / sum(weight) filter (where score is not null))
    * case conventions().denominator when 'n-1' then sum(weight) filter (where score is not null)
      / nullif(sum(weight) filter (where score is not null) - 1, 0) else 1 end) as value,
  cast(sum(weight) filter (where score is not null) as bigint) as n
from weighed
left join medians using (experiment_id, dimension, source, item)
group by experiment_id, dimension, source, item
order by experiment_id, dimension, source, item
