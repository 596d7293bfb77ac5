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
--   published_is_correct: the flag as the service published it. null: the rating can be neither
--     correct nor incorrect
--   prompt: what was judged, as an import states it. null: not stated
--   is_correct: the flag as the meta gives it. null: no usable flag and no usable bounds, or bounds
--     and no score
--   odd_shape: what the interface does not define about isCorrect or the bounds in its place. null:
--     nothing
--   item: item: the key by which every metric groups. null: the rating has no stimulus
with
read as (
  select
    *,
    case
      when contains(meta, 'isCorrect') or contains(meta, 'expectedScores') or contains(meta, '\u')
        then json_extract(meta,
          ['$.isCorrect', '$.expectedScores', '$.expectedScores[0]', '$.expectedScores[1]'])
    end as found
  from stg_ratings
),
typed as (
  select
    *,
    nullif(json_type(found[1]), 'NULL') as flag_type,
    nullif(json_type(found[2]), 'NULL') as bounds_type,
    -- A case, and no IN (which the engine makes a join), because few ratings have bounds: 0.1 s of
    -- CPU less for two million.
    case when bounds_type = 'ARRAY' then json_array_length(found[2]) end as entries,
    case when entries = 2 then
      list_contains(['BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL'], json_type(found[3]))
      and list_contains(['BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE', 'NULL'], json_type(found[4]))
      and not (json_type(found[3]) = 'NULL' and json_type(found[4]) = 'NULL')
    else false end as has_bounds,
    case when has_bounds then try_cast(found[3] as double) end as low,
    case when has_bounds then try_cast(found[4] as double) end as high
  from read
)
select
  * exclude (found, flag_type, bounds_type, entries, has_bounds, low, high),
  case
    when flag_type = 'BOOLEAN' then found[1] = 'true'
    when has_bounds and score is not null
      then coalesce(score >= try_cast(found[3] as double), true)
        and coalesce(score <= try_cast(found[4] as double), true)
  end as is_correct,
  case
    when flag_type = 'BOOLEAN' or coalesce(flag_type, bounds_type) is null then null
    when flag_type is not null or bounds_type <> 'ARRAY' then concat(
      case when flag_type is null then 'expectedScores is ' else 'isCorrect is ' end,
      case coalesce(flag_type, bounds_type)
        when 'VARCHAR' then 'text'
        when 'OBJECT' then 'an object'
        when 'ARRAY' then 'a list'
        when 'BOOLEAN' then 'true or false'
        else 'a number'
      end
    )
    when entries <> 2 then concat('expectedScores is a list of ', entries)
    when not has_bounds then 'expectedScores has a bound that is no number'
    when low > high then 'expectedScores is reversed'
    -- The score may have been rounded to the bound.
    when abs(score) >= 9007199254740992 and (score = low or score = high)
      then 'the score and a bound are above 2^53'
  end as odd_shape,
  item_of(stimulus) as item
from typed
