-- grain: one reason why slates of the population are not comparisons, per experiment and dimension
-- inputs: int_slates
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   skip_reason: why the slates are not comparisons; '' counts the comparisons
--   slates: slates (count)
select
  experiment_id,
  dimension,
  coalesce(skip_reason, '') as skip_reason,
  count(*) as slates
from int_slates
group by experiment_id, dimension, coalesce(skip_reason, '')
order by experiment_id, dimension, skip_reason
