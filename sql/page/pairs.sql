select
  experiment_id,
  dimension,
  item,
  opponent,
  n,
  win_pct,
  sum(wins + ties / 2) over of_item / sum(n) over of_item as share
from win_matrix
where source = '' and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
window of_item as (partition by experiment_id, dimension, item)
order by experiment_id, dimension, item, opponent
