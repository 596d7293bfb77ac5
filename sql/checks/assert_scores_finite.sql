-- severity: error
-- grain: one rating whose score is not a finite number
-- inputs: stg_ratings
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   dimension: rated dimension; '' if the rating has none
--   score: the score
select experiment_id, session_id, slate_id, stimulus, dimension, score
from stg_ratings
where not isfinite(score)
