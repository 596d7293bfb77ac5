-- grain: one distinct score of an item, per experiment, dimension and source
-- inputs: int_source_scores
-- units: n counts ratings
-- nulls: none
select
  experiment_id,
  dimension,
  source,
  item,
  score,
  count(*) as n
from int_source_scores
group by experiment_id, dimension, source, item, score
