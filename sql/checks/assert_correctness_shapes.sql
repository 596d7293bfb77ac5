-- severity: warning
-- grain: one rating whose isCorrect or expectedScores has a shape that counts as absent; a JSON null is allowed
-- inputs: int_correctness, key_correctness
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   dimension: rated dimension; '' if the rating has none
--   meta: the rating's meta (JSON). null: none
--   flag_type: JSON type of meta.isCorrect. null: absent or null
--   bounds_type: JSON type of meta.expectedScores. null: absent or null
select experiment_id, session_id, slate_id, stimulus, dimension, meta, flag_type, bounds_type
from int_correctness
semi join (
  select distinct experiment_id, is_malformed from key_correctness
  where is_malformed
) as malformed using (experiment_id, is_malformed)
