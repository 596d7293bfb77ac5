-- severity: error
-- grain: one rating whose score is no finite number
-- inputs: stg_ratings
-- units: none
-- nulls: a NULL score is no offence: it was not scored
select experiment_id, session_id, slate_id, stimulus, dimension, score
from stg_ratings
where not isfinite(score)
