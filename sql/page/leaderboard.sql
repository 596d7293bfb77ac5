select
  l.* exclude (experiment_name, source),
  i.rank_best,
  i.rank_worst,
  l.kind = 'mean' and regexp_matches(l.item, '^(hidden[ _-]?)?ref(erence)?$', 'i') as is_reference
from leaderboard as l
left join metric_bradley_terry_intervals as i
  on l.kind = 'bradley_terry' and i.source = l.source and i.experiment_id = l.experiment_id
  and i.dimension = l.dimension and i.item = l.item
where
  l.source = '' and l.item is not null
  and l.experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by l.experiment_id, l.dimension, l.kind, l.rank, l.item
