-- grain: one reason why slates of the population are no comparisons, per experiment and dimension
-- inputs: int_slates
-- units: slates
-- nulls: skip_reason '' counts the slates that are comparisons
select
  experiment_id,
  dimension,
  coalesce(skip_reason, '') as skip_reason,
  count(*) as slates
from int_slates
group by experiment_id, dimension, coalesce(skip_reason, '')
order by experiment_id, dimension, skip_reason
