-- stored: view
-- grain: one rating
-- inputs: stg_ratings
-- units: item is the grouping key of every metric; is_correct as its meta gives it, published_is_correct as the service says
-- nulls: is_correct NULL means neither a boolean flag nor usable bounds, or bounds and no score
with
shaped as (
  select
    *,
    json_type(meta, '$.isCorrect') as flag_type,
    json_type(meta, '$.expectedScores') as bounds_type,
    case when json_type(meta, '$.expectedScores') = 'ARRAY' then json_array_length(meta, '$.expectedScores') end
      as bounds_length,
    json_type(meta, '$.expectedScores[0]') as low_type,
    json_type(meta, '$.expectedScores[1]') as high_type
  from stg_ratings
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
    ) as has_bounds,
    try_cast(json_extract_string(meta, '$.expectedScores[0]') as double) as low,
    try_cast(json_extract_string(meta, '$.expectedScores[1]') as double) as high
  from shaped
)
select
  * exclude (bounds_length, low_type, high_type, low, high),
  case
    when flag_type = 'BOOLEAN' then json_extract_string(meta, '$.isCorrect') = 'true'
    when has_bounds and score is not null
      then (low is null or score >= low) and (high is null or score <= high)
  end as is_correct,
  case
    when regexp_matches(stimulus, getvariable('conventions').item_pattern)
      then regexp_extract(stimulus, getvariable('conventions').item_pattern, 1)
    else stimulus
  end as item
from bounded
