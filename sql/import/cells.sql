-- A row for each cell of wide records; a record without any is one that is skipped.
select
  * exclude (cells, cell, place)
  replace (
    is_skipped or cell is null as is_skipped,
    coalesce(reason, $reason) as reason,
    case when place = 0 then lacks end as lacks
    $key
  ),
  $columns
from (
  select
    *,
    unnest(case when len(cells) > 0 then cells else [null] end) as cell,
    unnest(range(greatest(len(cells), 1))) as place
  from ($records)
)
