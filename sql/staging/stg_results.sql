-- grain: one published result
-- inputs: results
-- columns:
--   experiment_id: experiment
--   kind: metric kind. null: not given
--   dimension: rated dimension. null: not given
--   source: source as published, otherwise the one that was asked for. null: neither
--   scores: published scores (JSON). null: none
--   options: published options (JSON). null: none
--   more: fields that the contract does not know (JSON). null: none
select
  experiment_id,
  kind,
  dimension,
  coalesce(nullif(trim(source), ''), asked_source, source) as source,
  scores,
  options,
  _meta as more
from results
