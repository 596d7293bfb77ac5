-- grain: one item with scores, per experiment, dimension and source
-- inputs: int_score_cells, int_score_counts, int_source_scores
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
  select
    experiment_id, dimension, source, item,
    any_value(cell_id) as cell_id,
    any_value(i.n) as n,
    fsum(score * c.n order by score) / any_value(i.n) as mean
  from int_score_counts as c
  join int_score_cells as i using (experiment_id, dimension, source, item)
  group by experiment_id, dimension, source, item
),
-- A sorted list makes the sum the same for any order of rows, at a quarter of the time of an ordered aggregate.
deviations as (
  select cell_id, list_aggregate(list_sort(list(score - mean)), 'fsum') as deviation
  from int_source_scores
  join means using (experiment_id, dimension, source, item)
  group by cell_id, coalesce(rater_id, '')
),
clusters as (
  select cell_id, count(*) as raters, fsum(deviation ** 2 order by abs(deviation)) as squares
  from deviations
  group by cell_id
)
select experiment_id, dimension, source, item, n, raters, mean, squares
from clusters
join means using (cell_id)
