-- `$[*]` leaves the quotes around a text, by which it differs from a flag or a number. It skips a
-- null, where the first of
-- equal keys counts: only the map knows that.
with
read as (
  select
    *,
    case when contains(meta, 'isCorrect') or contains(meta, 'expectedScores')
      or contains(meta, '\\u')
      then from_json(meta, 'map<string, string>') end as named
  from stg_ratings
),
found as (
  select
    * except (named),
    case when named['isCorrect'] is not null
      then get_json_object(concat('[', meta, ']'), '$[*].isCorrect') end as flag,
    case when named['expectedScores'] is not null
      then get_json_object(concat('[', meta, ']'), '$[*].expectedScores') end as bounds
  from read
),
shaped as (
  select
    *,
    json_kind(flag) as flag_type,
    json_kind(bounds) as bounds_type,
    case when bounds like '[%'
      then get_json_object(concat('[', bounds, ']'), '$[*][0]') end as low_json,
    case when bounds like '[%'
      then get_json_object(concat('[', bounds, ']'), '$[*][1]') end as high_json
  from found
),
typed as (
  select
    *,
    json_array_length(bounds) as entries,
    coalesce(
      json_array_length(bounds) = 2
      and coalesce(json_kind(low_json), 'NULL') in ('BIGINT', 'UBIGINT', 'DOUBLE', 'NULL')
      and coalesce(json_kind(high_json), 'NULL') in ('BIGINT', 'UBIGINT', 'DOUBLE', 'NULL')
      and not (coalesce(low_json, 'null') = 'null' and coalesce(high_json, 'null') = 'null'),
      false
    ) as has_bounds,
    try_cast(low_json as double) as low,
    try_cast(high_json as double) as high
  from shaped
)
select
  * except (flag, bounds, flag_type, bounds_type, entries, has_bounds, low_json, high_json, low,
    high),
  case
    when flag_type = 'BOOLEAN' then flag = 'true'
    when has_bounds and score is not null
      then coalesce(score >= low, true) and coalesce(score <= high, true)
  end as is_correct,
  case
    when flag_type = 'BOOLEAN' or coalesce(flag_type, bounds_type) is null then null
    when flag_type is not null or bounds_type <> 'ARRAY'
      then if(flag_type is null, 'expectedScores is ', 'isCorrect is ') ||
      decode(coalesce(flag_type, bounds_type), 'VARCHAR', 'text', 'OBJECT', 'an object', 'ARRAY',
        'a list', 'BOOLEAN', 'true or false', 'a number')
    when entries <> 2 then concat('expectedScores is a list of ', entries)
    when not has_bounds then 'expectedScores has a bound that is no number'
    when low > high then 'expectedScores is reversed'
    -- The score may have been rounded to the bound.
    when abs(score) >= 9007199254740992 and (score = low or score = high)
      then 'the score and a bound are above 2^53'
  end as odd_shape,
  item_of(stimulus) as item
from typed
