-- grain: one rated dimension of an experiment
-- inputs: key_stimuli
-- columns:
--   dimension_id: number of the dimension, in the order of (experiment_id, dimension), from 1
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
with
named as (
  select distinct experiment_id, dimension from key_stimuli
)
select cast(row_number() over (order by experiment_id, dimension) as integer) as dimension_id,
  experiment_id, dimension
from named
