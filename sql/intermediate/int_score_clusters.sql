-- grain: one item with scores, per experiment, dimension and source
-- inputs: key_rater_scores, key_sources, int_score_cells, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   n: ratings (count)
--   raters: raters; ratings without a rater count as one rater's (count)
--   mean: mean score (the experiment's scale)
--   squares: squared sums of each rater's deviations from the mean, summed over raters (the
--     experiment's scale squared)
with
cells as (
  select distinct s.group_id, i.item_id, c.cell_id, c.mean
  from int_score_cells as c
  join int_dimensions as d using (experiment_id, dimension)
  join key_sources as s using (dimension_id, source)
  left join int_items as i using (experiment_id, item)
),
-- A sorted list makes a sum the same for any order of rows, at a quarter of the time of an ordered
-- aggregate and half the memory.
deviations as (
  select c.cell_id, list_aggregate(list_sort(list(k.n * (k.score - c.mean))), 'fsum') as deviation
  from key_rater_scores as k
  join key_sources as s using (dimension_id, job_no)
  join cells as c on c.group_id = s.group_id and c.item_id is not distinct from k.item_id
  group by c.cell_id, k.rater_no
),
clusters as (
  select cell_id, count(*) as raters,
    list_aggregate(list_sort(list(deviation * deviation)), 'fsum') as squares
  from deviations
  group by cell_id
)
select experiment_id, dimension, source, item, n, raters, mean, squares
from clusters
join int_score_cells using (cell_id)
