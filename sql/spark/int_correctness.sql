-- `$[*]` leaves the quotes around a text, by which it differs from a flag or a number. It skips a null, where the first of
-- equal keys counts: only the map knows that.
with
read as (
  select
    *,
    case
      when contains(meta, 'isCorrect') or contains(meta, 'expectedScores') or contains(meta, '\\u')
        then from_json(meta, 'map<string, string>')
    end as named
  from stg_ratings
),
found as (
  select
    * except (named),
    case when named['isCorrect'] is not null then get_json_object(concat('[', meta, ']'), '$[*].isCorrect') end as flag,
    case when named['expectedScores'] is not null
      then get_json_object(concat('[', meta, ']'), '$[*].expectedScores')
    end as bounds
  from read
),
shaped as (
  select
    *,
    json_kind(flag) as flag_type,
    json_kind(bounds) as bounds_type,
    case when bounds like '[%' then get_json_object(concat('[', bounds, ']'), '$[*][0]') end as low,
    case when bounds like '[%' then get_json_object(concat('[', bounds, ']'), '$[*][1]') end as high
  from found
),
bounded as (
  select
    *,
    coalesce(
      json_array_length(bounds) = 2
      and coalesce(json_kind(low), 'NULL') in ('BIGINT', 'UBIGINT', 'DOUBLE', 'NULL')
      and coalesce(json_kind(high), 'NULL') in ('BIGINT', 'UBIGINT', 'DOUBLE', 'NULL')
      and not (coalesce(low, 'null') = 'null' and coalesce(high, 'null') = 'null'),
      false
    ) as has_bounds
  from shaped
)
select
  * except (flag, bounds, low, high),
  case
    when flag_type = 'BOOLEAN' then flag = 'true'
    when has_bounds and score is not null
      then (coalesce(low, 'null') = 'null' or score >= cast(low as double))
        and (coalesce(high, 'null') = 'null' or score <= cast(high as double))
  end as is_correct,
  coalesce(flag_type <> 'BOOLEAN', false) or (bounds_type is not null and not has_bounds) as is_malformed,
  item_of(stimulus) as item
from bounded
