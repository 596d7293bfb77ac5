-- severity: error
-- grain: one item whose scores are too large for a sum or a difference: its mean, spread or
--     quartiles are null
-- inputs: metric_stats
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   n: ratings (count)
--   min: lowest score (the experiment's scale)
--   max: highest score (the experiment's scale)
select experiment_id, dimension, source, item, n, min, max
from metric_stats
where mean is null or q1 is null or q3 is null or (n > 1 and std is null)
