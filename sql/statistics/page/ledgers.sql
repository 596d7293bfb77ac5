select experiment_id, cast(k.left_out_by as varchar) as rule, count(*) as ratings
from key_ledger as k
join int_dimensions as d using (dimension_id)
where k.left_out_by is not null
  and d.experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
group by d.experiment_id, k.left_out_by
order by d.experiment_id, ratings desc, rule
