-- grain: one published result
-- inputs: results
-- units: as published; scores and options are JSON
-- nulls: as published; more holds the fields that the contract does not know
select
  experiment_id,
  kind,
  dimension,
  source,
  scores,
  options,
  _meta as more
from results
