select
  l.* exclude (experiment_name, source),
  d.ground,
  b.component,
  b.wins
from leaderboard as l
join int_directions as d
  on d.experiment_id = l.experiment_id and d.dimension = l.dimension
left join metric_bradley_terry as b
  on l.kind = 'bradley_terry' and b.source = l.source and b.experiment_id = l.experiment_id
  and b.dimension = l.dimension and b.item = l.item
where
  l.source = '' and l.item is not null
  and l.experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by l.experiment_id, l.dimension, l.kind, l.class, l.rank nulls first, l.item
