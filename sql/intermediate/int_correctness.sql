-- stored: view
-- grain: one rating
-- inputs: stg_ratings
-- units: item is the grouping key of every metric; is_correct as its meta gives it, published_is_correct as the service says
-- nulls: is_correct NULL means neither a boolean flag nor usable bounds, or bounds and no score
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
