-- How many records lack each name, and how many could; an empty name counts all.
select
  name,
  count(*) as every,
  count(*) filter (where not is_skipped) as taken
from (
  select
    is_skipped,
    unnest([''] || lacks) as name
  from ($rows)
  where lacks is not null
)
group by name
