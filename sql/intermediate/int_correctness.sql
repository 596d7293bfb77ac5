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
--   flag_type: JSON type of meta.isCorrect. null: absent or null
--   bounds_type: JSON type of meta.expectedScores. null: absent or null
--   has_bounds: whether meta.expectedScores holds usable bounds
--   is_correct: the flag as the meta gives it. null: no usable flag and no usable bounds, or bounds and no score
--   is_malformed: whether isCorrect or expectedScores has a shape that counts as absent; a JSON null is allowed
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
bounded as (
  select
    *,
    nullif(json_type(found[1]), 'NULL') as flag_type,
    nullif(json_type(found[2]), 'NULL') as bounds_type,
    -- A case, and no IN (which the engine makes a join), because few ratings have bounds: 0.1 s of CPU less for two million.
    case when bounds_type = 'ARRAY' then
      json_array_length(found[2]) = 2
      and list_contains(['BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL'], json_type(found[3]))
      and list_contains(['BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL'], json_type(found[4]))
      and not (json_type(found[3]) = 'NULL' and json_type(found[4]) = 'NULL')
    else false end as has_bounds
  from read
)
select
  * exclude (found),
  case
    when flag_type = 'BOOLEAN' then found[1] = 'true'
    when has_bounds and score is not null
      then coalesce(score >= try_cast(found[3] as double), true) and coalesce(score <= try_cast(found[4] as double), true)
  end as is_correct,
  coalesce(flag_type <> 'BOOLEAN', false) or (bounds_type is not null and not has_bounds) as is_malformed,
  item_of(stimulus) as item
from bounded
