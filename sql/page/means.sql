select experiment_id, dimension, item, mean, clustered_ci_low, clustered_ci_high
from metric_stats_clustered
where source = '' and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
