-- severity: warning
-- grain: one rating whose isCorrect, or else expectedScores, has a shape that the interface does
--     not define
-- inputs: int_correctness, key_correctness
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   dimension: rated dimension; '' if the rating has none
--   meta: the rating's meta (JSON). null: none
--   odd_shape: the shape
select experiment_id, session_id, slate_id, stimulus, dimension, meta, odd_shape
from int_correctness
semi join (
  select distinct experiment_id, odd_shape from key_correctness
  where odd_shape is not null
) as odd using (experiment_id, odd_shape)
