-- grain: one item, per experiment, dimension and source
-- inputs: int_pair_counts
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   wins: comparisons won, each by its weight (count)
--   losses: comparisons lost, each by its weight (count)
--   ties: tied comparisons, each by its weight (count)
--   n: comparisons, each by its weight (count)
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
  sorted_sum(wins) as wins,
  sorted_sum(losses) as losses,
  sorted_sum(ties) as ties,
  sorted_sum(wins + losses + ties) as n
from sides
group by experiment_id, dimension, source, item
order by experiment_id, dimension, source, item
