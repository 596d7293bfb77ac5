-- grain: one published result
-- inputs: results
-- columns:
--   experiment_id: experiment
--   kind: metric kind. null: not given
--   dimension: rated dimension. null: not given
--   source: source as published. null: not given
--   scores: published scores (JSON). null: none
--   options: published options (JSON). null: none
--   more: fields that the contract does not know (JSON). null: none
select
  experiment_id,
  kind,
  dimension,
  source,
  scores,
  options,
  _meta as more
from results
