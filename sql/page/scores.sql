select experiment_id, dimension, item, score, n
from int_score_counts
where
  source = '' and item is not null
  and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
  and experiment_id not in (select experiment_id from int_groups)
order by all
