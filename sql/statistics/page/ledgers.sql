with
counts as (
  select d.experiment_id, d.dimension, cast(k.left_out_by as varchar) as rule, count(*) as ratings
  from key_ledger as k
  join int_dimensions as d using (dimension_id)
  group by all
),
moves as (
  select experiment_id, dimension, rule, count_if(rank is distinct from rank_without_rule) as moved
  from ledger_effect
  group by all
)
select c.*, coalesce(m.moved, 0) as moved
from counts as c
left join moves as m using (experiment_id, dimension, rule)
where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by experiment_id, dimension, ratings desc, rule
