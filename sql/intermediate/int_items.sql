-- grain: one item that a rating of an experiment names
-- inputs: key_stimuli
-- columns:
--   item_id: number of the item, in the order of (experiment_id, item), from 1
--   experiment_id: experiment
--   item: item
with
named as (
  select distinct experiment_id, item_of(stimulus) as item
  from (select distinct experiment_id, stimulus from key_stimuli)
  where stimulus is not null
)
select cast(row_number() over (order by experiment_id, item) as integer) as item_id, experiment_id,
  item
from named
