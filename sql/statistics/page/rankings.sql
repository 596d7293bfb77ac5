with
neighbours as (
  select
    *,
    lead(item) over (
      partition by experiment_id, dimension, estimate, class order by rank, item
    ) as next_item
  from ranking
  where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
)
select n.*, d.is_separated
from neighbours as n
left join differences as d
  on d.experiment_id = n.experiment_id and d.dimension = n.dimension and d.estimate = n.estimate
  and d.item_1 = least(n.item, n.next_item) and d.item_2 = greatest(n.item, n.next_item)
order by n.experiment_id, n.dimension, n.estimate, n.class, n.rank, n.item
