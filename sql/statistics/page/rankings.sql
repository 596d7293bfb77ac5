with
own as (
  select *, first_value(item) over (
      partition by experiment_id, dimension, class order by rank, item
    ) as first
  from ranking
  where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
)
select
  o.*,
  case when o.direction = 'lower' then w.losses else w.wins end as wins_against_first,
  case when o.direction = 'lower' then w.wins else w.losses end as losses_against_first
from own as o
left join win_matrix as w
  on w.source = '' and w.experiment_id = o.experiment_id and w.dimension = o.dimension
  and w.item = o.item and w.opponent = o.first
order by o.experiment_id, o.dimension, o.class, o.rank, o.item
