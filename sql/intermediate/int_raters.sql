-- grain: one rater that a rating of an experiment names
-- inputs: stg_ratings
-- columns:
--   rater_no: number of the rater, in the order of (experiment_id, rater_id), from 1
--   experiment_id: experiment
--   rater_id: rater
with
named as (
  select distinct experiment_id, rater_id from stg_ratings
  where rater_id is not null
)
select cast(row_number() over (order by experiment_id, rater_id) as integer) as rater_no, experiment_id, rater_id
from named
