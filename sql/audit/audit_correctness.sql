-- grain: one rating whose published is_correct differs from the one that its meta gives; null
--     counts only beside flags
-- inputs: int_correctness, key_correctness
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   stimulus_id: stimulus. null: not given
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater. null: unknown
--   score: score (the experiment's scale). null: not scored
--   meta: the rating's meta (JSON). null: none
--   published_is_correct: the flag as the service published it. null: the rating can be neither
--     correct nor incorrect
--   is_correct: the flag as the meta gives it. null: no usable flag and no usable bounds, or bounds
--     and no score
--   odd_shape: what the interface does not define about isCorrect or the bounds in its place. null:
--     nothing
with
published as (
  select distinct experiment_id from key_correctness
  where published_is_correct is not null
),
different as (
  select distinct experiment_id, published_is_correct, is_correct
  from key_correctness
  semi join published using (experiment_id)
  where is_correct is distinct from published_is_correct
)
select
  r.experiment_id, session_id, slate_id, stimulus_id, stimulus, dimension, rater_id,
  score, meta, r.published_is_correct, r.is_correct, odd_shape
from int_correctness as r
semi join different
  on different.experiment_id = r.experiment_id
  and different.published_is_correct is not distinct from r.published_is_correct
  and different.is_correct is not distinct from r.is_correct
order by r.experiment_id, session_id, slate_id, dimension, stimulus, stimulus_id, score, meta
