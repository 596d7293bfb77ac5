with
history as (
  select
    experiment_id,
    dimension,
    item,
    value,
    dense_rank() over (
      partition by experiment_id, dimension order by service_rank nulls last
    ) as session
  from elo_history
  where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
),
items as (
  select distinct experiment_id, dimension, item from history
),
sessions as (
  select
    experiment_id,
    dimension,
    session,
    max(session) over (partition by experiment_id, dimension) as sessions,
    -- A line has at most 60 points.
    least(sessions, 60) as points
  from (select distinct experiment_id, dimension, session from history)
),
places as (
  select experiment_id, dimension, item, session
  from sessions
  join items using (experiment_id, dimension)
  where session * points // sessions > (session - 1) * points // sessions
)
select
  experiment_id,
  dimension,
  item,
  list(p.session order by p.session) as sessions,
  list(h.value order by p.session) as ratings
from places as p
asof left join history as h
  using (experiment_id, dimension, item, session)
group by experiment_id, dimension, item
order by experiment_id, dimension, ratings[-1] desc, item
