-- grain: one rating as the service listed it
-- inputs: ratings
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   job_id: job; '' for none
--   slate_id: slate. null: the rating names none
--   rater_id: rater. null: unknown
--   stimulus_id: stimulus. null: not given
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   dimension: rated dimension; '' if the rating has none
--   score: score (the experiment's scale). null: not scored
--   is_training: whether it is a training rating
--   meta: the rating's meta (JSON). null: none
--   published_is_correct: the flag as the service published it. null: the rating can be neither
--     correct nor incorrect
--   prompt: what was judged, as an import states it. null: not stated
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
  is_correct as published_is_correct,
  case when contains(_meta, 'recount_prompt')
    then json_extract_string(_meta, '$.recount_prompt') end as prompt
from ratings
