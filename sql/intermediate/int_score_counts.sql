-- grain: one distinct score of an item, per experiment, dimension and source
-- inputs: int_source_scores
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   score: score (the experiment's scale)
--   n: ratings (count)
select
  experiment_id,
  dimension,
  source,
  item,
  score,
  count(*) as n
from int_source_scores
group by experiment_id, dimension, source, item, score
