with
followers as (
  select *, row_number() over (
      partition by experiment_id, dimension, estimate, class order by rank, item
    ) as place
  from ranking
)
select
  s.experiment_id, s.dimension, s.estimate, s.class, s.first_item, s.probability_best,
  n.p_first,
  r.units, r.at_most, r.leaving, r.entering,
  b.left_share, b.is_biased, b.sentence as side
from separation as s
left join followers as n
  on n.place = 2 and n.experiment_id = s.experiment_id and n.dimension = s.dimension
  and n.estimate = s.estimate and n.class = s.class
left join robustness as r
  on r.unit = 'vote' and r.k = 1 and r.experiment_id = s.experiment_id
  and r.dimension = s.dimension and r.kind = s.estimate and r.class = s.class
left join side_bias as b
  on s.estimate = 'bradley_terry' and b.experiment_id = s.experiment_id
  and b.dimension = s.dimension
where s.experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by s.experiment_id, s.dimension, s.estimate, s.class
