-- grain: one item with scores, per experiment, dimension and source
-- inputs: int_score_counts
-- columns:
--   cell_id: id for the kernels, in the order of (experiment_id, dimension, source, item), from 1
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   n: ratings (count)
--   mean: mean score (the experiment's scale)
select
  cast(row_number() over (order by experiment_id, dimension, source, item) as integer) as cell_id,
  experiment_id,
  dimension,
  source,
  item,
  cast(sum(n) as bigint) as n,
  ordered_sum(score * n, score) / cast(sum(n) as bigint) as mean
from int_score_counts
group by experiment_id, dimension, source, item
