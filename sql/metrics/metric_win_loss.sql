-- grain: one item, per experiment, dimension and source
-- inputs: int_pair_counts
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   wins: comparisons won (count)
--   losses: comparisons lost (count)
--   ties: tied comparisons (count)
--   n: comparisons (count)
with
sides as (
  select experiment_id, dimension, source, item_a as item, wins_a as wins, wins_b as losses, ties
  from int_pair_counts
  union all
  select experiment_id, dimension, source, item_b as item, wins_b as wins, wins_a as losses, ties
  from int_pair_counts
)
select
  experiment_id,
  dimension,
  source,
  item,
  cast(sum(wins) as bigint) as wins,
  cast(sum(losses) as bigint) as losses,
  cast(sum(ties) as bigint) as ties,
  cast(sum(wins + losses + ties) as bigint) as n
from sides
group by experiment_id, dimension, source, item
order by experiment_id, dimension, source, item
