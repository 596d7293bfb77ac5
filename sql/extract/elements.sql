-- The elements of a body, one a line: json, and for those that the engine cannot read,
-- flaw (the reason) and broken (the text).
select
  json,
  case when json is null then coalesce(described ->> 'reason', 'not valid JSON') end as flaw,
  case when json is null then coalesce(described ->> 'raw', line) end as broken
from
  (
    select
      line,
      try_cast(line as json) as json,
      case when starts_with(line, $mark) then try_cast(line[2:] as json) end as described
    from $lines
    where line <> ''
  )
