-- stored: view
-- grain: one rating
-- inputs: stg_ratings
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
--   meta: the rating's meta (JSON). null: none
--   published_is_correct: the flag as the service published it. null: the rating can be neither correct nor incorrect
--   flag_type: JSON type of meta.isCorrect. null: absent
--   bounds_type: JSON type of meta.expectedScores. null: absent
--   has_bounds: whether meta.expectedScores holds usable bounds
--   is_correct: the flag as the meta gives it. null: no usable flag and no usable bounds, or bounds and no score
--   item: item: the key by which every metric groups. null: the rating has no stimulus
with
read as (
  select
    *,
    case
      when contains(meta, 'isCorrect') or contains(meta, 'expectedScores') or contains(meta, '\u')
        then json_extract(meta, ['$.isCorrect', '$.expectedScores', '$.expectedScores[0]', '$.expectedScores[1]'])
    end as found
  from stg_ratings
),
shaped as (
  select
    * exclude (found),
    json_type(found[1]) as flag_type,
    json_type(found[2]) as bounds_type,
    case when bounds_type = 'ARRAY' then json_array_length(found[2]) end as bounds_length,
    json_type(found[3]) as low_type,
    json_type(found[4]) as high_type,
    found[1] = 'true' as flag,
    try_cast(found[3] as double) as low,
    try_cast(found[4] as double) as high
  from read
),
bounded as (
  select
    *,
    coalesce(
      bounds_length = 2
      and low_type in ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL')
      and high_type in ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL')
      and not (low_type = 'NULL' and high_type = 'NULL'),
      false
    ) as has_bounds
  from shaped
)
select
  * exclude (bounds_length, low_type, high_type, flag, low, high),
  case
    when flag_type = 'BOOLEAN' then flag
    when has_bounds and score is not null
      then (low is null or score >= low) and (high is null or score <= high)
  end as is_correct,
  case
    when regexp_matches(stimulus, conventions().item_pattern)
      then regexp_extract(stimulus, conventions().item_pattern, 1)
    else stimulus
  end as item
from bounded
