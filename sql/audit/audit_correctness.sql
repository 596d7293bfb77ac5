-- grain: one rating whose published is_correct is not the one its meta gives
-- inputs: int_correctness
-- units: none
-- nulls: NULL is a value of the flag here and differs from true and false
select
  experiment_id, session_id, slate_id, stimulus_id, stimulus, dimension, rater_id,
  score, meta, published_is_correct, is_correct
from int_correctness
where is_correct is distinct from published_is_correct
order by experiment_id, session_id, slate_id, dimension, stimulus, stimulus_id, score, meta
