with
ratings as (
  select experiment_id, count(*) as ratings, count(distinct nullif(rater_id, '')) as raters
  from audit_ratings
  group by experiment_id
),
used as (
  select experiment_id, count(score) as counted from int_population group by experiment_id
)
select
  experiment_id,
  coalesce(ratings, 0) as ratings,
  coalesce(counted, 0) as counted,
  coalesce(raters, 0) as raters
from (select unnest(from_json($ids, '["VARCHAR"]')) as experiment_id)
left join ratings using (experiment_id)
left join used using (experiment_id)
