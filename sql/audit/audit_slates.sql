-- grain: one reason why slates of the population have no comparison, per experiment and dimension
-- inputs: key_slates, key_comparisons, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   skip_reason: why the slates have no comparison; '' for those that have
--   slates: slates (count)
--   comparisons: comparisons of these slates (count)
with
compared as (
  select dimension_id, '' as skip_reason, count(*) as comparisons
  from key_comparisons
  group by dimension_id
),
counted as (
  select dimension_id, coalesce(cast(skip_reason as varchar), '') as skip_reason, count(*) as slates
  from key_slates
  group by dimension_id, skip_reason
)
select d.experiment_id, d.dimension, skip_reason, slates, coalesce(comparisons, 0) as comparisons
from counted
join int_dimensions as d using (dimension_id)
left join compared using (dimension_id, skip_reason)
order by d.experiment_id, d.dimension, skip_reason
