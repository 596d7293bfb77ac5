-- Rows whose record an earlier list counts for the same session.
select
  i,
  row,
  $names[first_list + 1] || ' takes this record too, and a record counts once. Check only and '
  || 'skip of both.' as why
from (
  select
    *,
    min(i) over (partition by record, session, item, coalesce(dimension, '')) as first_list
  from ($rows)
)
where record is not null and first_list < i
