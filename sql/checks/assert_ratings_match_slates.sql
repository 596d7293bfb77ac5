-- severity: error
-- grain: one rating that occurs a different number of times in the ratings list and the slates list; experiments without slates are skipped
-- inputs: stg_ratings, stg_slate_ratings
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
--   published_is_correct: the flag as the service published it. null: the rating can be neither correct nor incorrect
--   in_ratings: occurrences in the ratings list (count)
--   in_slates: occurrences in the slates list (count)
with
listed as (
  select *, 1 as in_ratings, 0 as in_slates from stg_ratings
  union all
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
