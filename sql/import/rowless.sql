-- By file, records that gave no row of a query.
select
  file,
  count(*) as records,
  min(line) as first_line
from $base
where $key not in (select $key from $rows where $key is not null)
group by file
order by file
