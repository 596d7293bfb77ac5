-- grain: one rating that states covariates of its comparison, which an import writes
-- inputs: ratings
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   dimension: rated dimension; '' if the rating has none
--   stimulus: name of the stimulus, the left one of the comparison
--   covariates: numbers by name, each of the left item less that of the right one (JSON)
select
  experiment_id,
  session_id,
  slate_id,
  coalesce(dimension, '') as dimension,
  stimulus,
  min(json_extract_string(_meta, '$.recount_covariates')) as covariates
from ratings
where contains(_meta, 'recount_covariates')
group by experiment_id, session_id, slate_id, coalesce(dimension, ''), stimulus
