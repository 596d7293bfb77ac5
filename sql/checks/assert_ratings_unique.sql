-- severity: error
-- grain: one stimulus that a rater's slate rates more than once in a dimension; of an import on one
--     side, as it may be against itself
-- inputs: stg_ratings
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate
--   stimulus_id: stimulus. null: not given
--   stimulus: name of the stimulus, or its id as text
--   dimension: rated dimension; '' if the rating has none
--   ratings: occurrences in the ratings list (count)
select experiment_id, session_id, slate_id, stimulus_id, stimulus, dimension, count(*) as ratings
from stg_ratings
where slate_id is not null and stimulus is not null and rater_id is not null
group by
  experiment_id, session_id, slate_id, stimulus_id, stimulus, dimension,
  coalesce(contains(meta, '"recount_right":true'), false)
having count(*) > 1
