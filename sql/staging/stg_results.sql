-- grain: one published result
-- inputs: results
-- units: as published; scores and options are JSON
-- nulls: as published
select
  experiment_id,
  kind,
  coalesce(dimension, '') as dimension,
  coalesce(source, '') as source,
  scores,
  options
from results
