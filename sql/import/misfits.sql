-- The place, the reason and the text of the records of a file that are in quarantine.
select
  place,
  reason,
  raw
from (
  select
    n - $offset + 1 as record,
    rowid as row,
    reason
  from $table
  where f = $file and reason is not null and not is_skipped
)
inner join (
  select
    row_number() over () as record,
    $place as place,
    $raw as raw
  from $from
) using (record)
order by row
