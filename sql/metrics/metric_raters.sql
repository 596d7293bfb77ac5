-- grain: one rater, per experiment and dimension
-- inputs: key_rater_pairs, key_pairs, int_dimensions, int_raters, key_correctness
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater; '' for ratings without one
--   ratings: ratings (count)
--   comparisons: comparisons (count)
--   ties: tied comparisons (count)
--   comparable: preferences on pairs on which the other raters have a majority (count)
--   agreement_pct: share of the comparable preferences that agree with that majority (percent).
--     null: none is comparable
--   correct: correct ratings (count)
--   incorrect: incorrect ratings (count)
--   correct_pct: share of correct ratings (percent). null: no rating could be correct
with
votes as (
  select
    dimension_id, rater_no, item_a, item_b,
    sum(wins_a) as wins_a, sum(wins_b) as wins_b, sum(ties) as ties
  from key_rater_pairs
  group by dimension_id, rater_no, item_a, item_b
),
totals as (
  select dimension_id, item_a, item_b, sum(wins_a) - sum(wins_b) as votes
  from key_pairs
  group by dimension_id, item_a, item_b
),
judged as (
  select v.*, sign(t.votes - (v.wins_a - v.wins_b)) as majority
  from votes as v
  join totals as t using (dimension_id, item_a, item_b)
),
agreement as (
  select
    d.experiment_id, d.dimension, coalesce(r.rater_id, '') as rater_id,
    cast(sum(wins_a + wins_b + ties) as bigint) as comparisons,
    cast(sum(ties) as bigint) as ties,
    cast(coalesce(sum(wins_a + wins_b) filter (where majority <> 0), 0) as bigint) as comparable,
    cast(sum(case majority when 1 then wins_a when -1 then wins_b else 0 end) as bigint) as agreeing
  from judged
  join int_dimensions as d using (dimension_id)
  left join int_raters as r using (rater_no)
  group by d.experiment_id, d.dimension, coalesce(r.rater_id, '')
),
correctness as (
  select
    experiment_id, dimension, rater_id,
    cast(sum(ratings) as bigint) as ratings,
    cast(coalesce(sum(ratings) filter (where is_correct), 0) as bigint) as correct,
    cast(coalesce(sum(ratings) filter (where not is_correct), 0) as bigint) as incorrect
  from key_correctness
  group by experiment_id, dimension, rater_id
)
select
  experiment_id, dimension, rater_id, ratings,
  coalesce(comparisons, 0) as comparisons,
  coalesce(ties, 0) as ties,
  coalesce(comparable, 0) as comparable,
  100 * agreeing / nullif(comparable, 0) as agreement_pct,
  correct, incorrect,
  100 * correct / nullif(correct + incorrect, 0) as correct_pct
from correctness
left join agreement using (experiment_id, dimension, rater_id)
order by experiment_id, dimension, rater_id
