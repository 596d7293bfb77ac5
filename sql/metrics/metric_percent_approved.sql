-- grain: one item, per experiment, dimension and source
-- inputs: int_score_counts
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   value: share of approving ratings (percent, or a fraction by convention)
--   approved: approving ratings (count)
--   n: ratings (count)
with
midpoints as (
  select experiment_id, dimension, source, min(score) / 2 + max(score) / 2 as midpoint
  from int_score_counts
  group by experiment_id, dimension, source
),
counted as (
  select
    experiment_id, dimension, source, item,
    cast(coalesce(sum(n) filter (
      where case conventions().approved when 'midpoint' then score >= midpoint else score > 0 end
    ), 0) as bigint) as approved,
    cast(sum(n) as bigint) as n
  from int_score_counts
  join midpoints using (experiment_id, dimension, source)
  group by experiment_id, dimension, source, item
)
select
  experiment_id,
  dimension,
  source,
  item,
  conventions().percent_scale * approved
    / nullif(n - case conventions().denominator when 'n-1' then 1 else 0 end, 0) as value,
  approved,
  n
from counted
order by experiment_id, dimension, source, item
