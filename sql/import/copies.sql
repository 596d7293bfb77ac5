-- A record that stands for several equal answers is a row for each, in a slate of its own.
select
  * exclude (count, copy)
  replace (
    n * $most + copy as n,
    case when copy > 0 then slate || chr(31) || copy else slate end as slate
  )
from (select *, unnest(range(count)) as copy from ($rows))
