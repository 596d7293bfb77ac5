select d.experiment_id, d.dimension, cast(k.left_out_by as varchar) as rule, count(*) as ratings
from key_ledger as k
join int_dimensions as d using (dimension_id)
where d.experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
group by d.experiment_id, d.dimension, k.left_out_by
order by d.experiment_id, d.dimension, ratings desc, rule
