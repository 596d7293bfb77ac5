-- severity: error
-- grain: one rating that the ratings list and the slates list do not hold equally often
-- inputs: stg_ratings, stg_slate_ratings
-- units: in_ratings and in_slates count how often each list holds it
-- nulls: as in stg_ratings; an experiment without any slates is not compared
with
listed as (
  select *, 1 as in_ratings, 0 as in_slates from stg_ratings
  union all by name
  select *, 0 as in_ratings, 1 as in_slates from stg_slate_ratings
)
select
  experiment_id, session_id, job_id, slate_id, rater_id, stimulus_id, stimulus, dimension, score, is_training,
  published_is_correct,
  cast(sum(in_ratings) as bigint) as in_ratings,
  cast(sum(in_slates) as bigint) as in_slates
from listed
semi join (select distinct experiment_id from stg_slate_ratings) as compared using (experiment_id)
group by
  experiment_id, session_id, job_id, slate_id, rater_id, stimulus_id, stimulus, dimension, score, is_training,
  published_is_correct
having sum(in_ratings) <> sum(in_slates)
