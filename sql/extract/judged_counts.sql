-- What became of the elements that were judged one by one.
select
  count(*) filter (where _reason is not null and $names_secret) as withheld,
  count(*) filter (where _reason is null and not _repeats) as good,
  count(_reason) as bad,
  list_sort(
    list(
      distinct regexp_replace(
        _reason,
        '(?s) is .*, but .* was asked for$',
        ' is not what was asked for'
      )
    ) filter (where _reason is not null)
  ) as reasons,
  count(*) filter (where _repeats) as repeated,
  (
    select coalesce(to_json(map_from_entries(list((field, n) order by field)))::varchar, '{}')
    from (
      select
        field,
        count(*) as n
      from (select unnest(_unknown) as field from $judged)
      group by field
    )
  ) as unknown_fields
from $judged
