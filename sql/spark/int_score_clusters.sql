-- The sums are those of fsum: Kahan's, over the sorted values.
with
cells as (
  select distinct s.group_id, i.item_id, c.cell_id, c.mean
  from int_score_cells as c
  join int_dimensions as d using (experiment_id, dimension)
  join key_sources as s using (dimension_id, source)
  left join int_items as i using (experiment_id, item)
),
deviations as (
  select
    c.cell_id,
    aggregate(
      array_sort(collect_list(k.n * (k.score - c.mean))),
      named_struct('sum', 0D, 'lost', 0D),
      (a, x) -> named_struct('sum', a.sum + (x - a.lost), 'lost',
        ((a.sum + (x - a.lost)) - a.sum) - (x - a.lost)),
      a -> a.sum
    ) as deviation
  from key_rater_scores as k
  join key_sources as s using (dimension_id, job_no)
  join cells as c on c.group_id = s.group_id and c.item_id is not distinct from k.item_id
  group by c.cell_id, k.rater_no
),
clusters as (
  select
    cell_id,
    count(*) as raters,
    aggregate(
      array_sort(collect_list(abs(deviation))),
      named_struct('sum', 0D, 'lost', 0D),
      (a, x) -> named_struct(
        'sum', a.sum + (x * x - a.lost), 'lost',
        ((a.sum + (x * x - a.lost)) - a.sum) - (x * x - a.lost)
      ),
      a -> a.sum
    ) as squares
  from deviations
  group by cell_id
)
select experiment_id, dimension, source, item, n, raters, mean, squares
from clusters
join int_score_cells using (cell_id)
