-- severity: error
-- grain: one rating that occurs a different number of times in the ratings list and the slates
--     list; experiments without slates are skipped
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
--   published_is_correct: the flag as the service published it. null: the rating can be neither
--     correct nor incorrect
--   in_ratings: occurrences in the ratings list (count)
--   in_slates: occurrences in the slates list (count)
-- Sums of hashes come first: the ratings are grouped only where these differ. Two lists that differ
-- have equal sums with a
-- chance of about 2^-64. Columns of one type that may be null are apart, because Spark leaves a
-- null out of a hash.
with
hashed as (
  select
    experiment_id, is_slate,
    hash(session_id, job_id, slate_id, dimension, rater_id, is_training, stimulus_id, stimulus,
      score, published_is_correct)
      as row_hash
  from (
    select *, false as is_slate from stg_ratings
    union all
    select *, true as is_slate from stg_slate_ratings
  )
),
summands as (
  select
    experiment_id, is_slate,
    cast(row_hash as decimal(20, 0)) as first_summand,
    cast(hash(row_hash) as decimal(20, 0)) as second_summand
  from hashed
),
unequal as (
  select experiment_id
  from summands
  group by experiment_id
  having bool_or(is_slate) and (
    count(*) <> 2 * count(*) filter (where is_slate)
    or sum(case when is_slate then -first_summand else first_summand end) <> 0
    or sum(case when is_slate then -second_summand else second_summand end) <> 0
  )
),
listed as (
  select *, 1 as in_ratings, 0 as in_slates from stg_ratings
  union all
  select *, 0 as in_ratings, 1 as in_slates from stg_slate_ratings
)
select
  experiment_id, session_id, job_id, slate_id, rater_id, stimulus_id, stimulus, dimension, score,
  is_training,
  published_is_correct,
  cast(sum(in_ratings) as bigint) as in_ratings,
  cast(sum(in_slates) as bigint) as in_slates
from listed
semi join unequal using (experiment_id)
group by
  experiment_id, session_id, job_id, slate_id, rater_id, stimulus_id, stimulus, dimension, score,
  is_training,
  published_is_correct
having sum(in_ratings) <> sum(in_slates)
