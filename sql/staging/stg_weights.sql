-- grain: one slate and dimension whose ratings state a weight, which an import writes
-- inputs: ratings
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   dimension: rated dimension; '' if the rating has none
--   weight: comparisons that a comparison of these ratings counts as (count)
with
stated as (
  select
    experiment_id,
    session_id,
    slate_id,
    coalesce(dimension, '') as dimension,
    try_cast(json_extract_string(_meta, '$.recount_weight') as double) as weight
  from ratings
  where contains(_meta, 'recount_weight')
)
select experiment_id, session_id, slate_id, dimension, max(weight) as weight
from stated
where weight > 0 and isfinite(weight)
group by experiment_id, session_id, slate_id, dimension
