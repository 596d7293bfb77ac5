-- grain: one rating as the service listed it inside a slate
-- inputs: slate_ratings
-- units: score in the experiment's own scale
-- nulls: as in stg_ratings
select
  experiment_id,
  session_id,
  coalesce(job_id, '') as job_id,
  slate_id,
  cast(rater_id as string) as rater_id,
  stimulus_id,
  coalesce(stimulus, cast(stimulus_id as string)) as stimulus,
  coalesce(dimension, '') as dimension,
  score,
  coalesce(is_training, false) as is_training,
  meta,
  is_correct as published_is_correct
from slate_ratings
