-- By dimension, which end of its scale the lists call better, and whether they disagree.
select
  coalesce(dimension, '') as dimension,
  min(direction) as direction,
  min(direction) <> max(direction) as is_odd
from taken
where direction is not null
group by coalesce(dimension, '')
order by dimension
