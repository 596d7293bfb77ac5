-- grain: one item and opponent, both ways round, per experiment, dimension and source
-- inputs: stg_experiments, int_pair_counts
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   opponent: item that it was compared with
--   wins: comparisons that the item won (count)
--   losses: comparisons that the opponent won (count)
--   ties: tied comparisons (count)
--   n: comparisons (count)
--   win_pct: share of comparisons won, ties as half (percent)
with
sides as (
  select experiment_id, dimension, source, item_a as item, item_b as opponent, wins_a as wins,
    wins_b as losses, ties
  from int_pair_counts
  union all
  select experiment_id, dimension, source, item_b, item_a, wins_b, wins_a, ties
  from int_pair_counts
)
select
  experiment_id,
  e.experiment_name,
  s.dimension,
  s.source,
  s.item,
  s.opponent,
  s.wins,
  s.losses,
  s.ties,
  s.wins + s.losses + s.ties as n,
  100 * (s.wins + s.ties / 2) / (s.wins + s.losses + s.ties) as win_pct
from sides as s
left join stg_experiments as e using (experiment_id)
order by experiment_id, s.dimension, s.source, s.item, s.opponent
