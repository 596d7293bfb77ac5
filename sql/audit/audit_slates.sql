-- grain: one reason why slates of the population have no comparison, per experiment and dimension
-- inputs: int_slates, int_comparisons
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   skip_reason: why the slates have no comparison; '' for those that have
--   slates: slates (count)
--   comparisons: comparisons of these slates (count)
with
compared as (
  select experiment_id, dimension, '' as skip_reason, count(*) as comparisons
  from int_comparisons
  group by experiment_id, dimension
),
counted as (
  select experiment_id, dimension, coalesce(skip_reason, '') as skip_reason, count(*) as slates
  from int_slates
  group by experiment_id, dimension, coalesce(skip_reason, '')
)
select experiment_id, dimension, skip_reason, slates, coalesce(comparisons, 0) as comparisons
from counted
left join compared using (experiment_id, dimension, skip_reason)
order by experiment_id, dimension, skip_reason
