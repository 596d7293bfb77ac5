-- grain: one rater that a rating of an experiment names
-- inputs: key_session_raters
-- columns:
--   rater_no: number of the rater, in the order of (experiment_id, rater_id), from 1
--   experiment_id: experiment
--   rater_id: rater
with
named as (
  select distinct experiment_id, rater_id from key_session_raters
  -- No experiment is null. Said here, both uses have the same rows for Spark, which then reads them
  -- once.
  where rater_id is not null and experiment_id is not null
),
ranked as (
  select experiment_id, rater_id,
    row_number() over (partition by experiment_id order by rater_id) as rater_rank
  from named
),
preceding as (
  select experiment_id,
    sum(max(rater_rank)) over (order by experiment_id) - max(rater_rank) as raters
  from ranked
  group by experiment_id
)
select cast(raters + rater_rank as integer) as rater_no, experiment_id, rater_id
from ranked
join preceding using (experiment_id)
