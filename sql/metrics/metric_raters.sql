-- grain: one rater, per experiment and dimension
-- inputs: int_comparisons, int_correctness
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater; '' for ratings without one
--   ratings: ratings (count)
--   comparisons: comparisons (count)
--   ties: tied comparisons (count)
--   comparable: preferences on pairs on which the other raters have a majority (count)
--   agreement_pct: share of the comparable preferences that agree with that majority (percent). null: none is comparable
--   correct: correct ratings (count)
--   incorrect: incorrect ratings (count)
--   correct_pct: share of correct ratings (percent). null: no rating could be correct
with
votes as (
  select experiment_id, dimension, coalesce(rater_id, '') as rater_id, item_a, item_b, sum(outcome) as votes
  from int_comparisons
  group by experiment_id, dimension, coalesce(rater_id, ''), item_a, item_b
),
totals as (
  select experiment_id, dimension, item_a, item_b, sum(outcome) as votes
  from int_comparisons
  group by experiment_id, dimension, item_a, item_b
),
judged as (
  select c.experiment_id, c.dimension, coalesce(c.rater_id, '') as rater_id, c.outcome, sign(t.votes - v.votes) as majority
  from int_comparisons as c
  join totals as t using (experiment_id, dimension, item_a, item_b)
  join votes as v
    on v.experiment_id = c.experiment_id and v.dimension = c.dimension and v.rater_id = coalesce(c.rater_id, '')
    and v.item_a = c.item_a and v.item_b = c.item_b
),
agreement as (
  select
    experiment_id, dimension, rater_id,
    count(*) as comparisons,
    count(*) filter (where outcome = 0) as ties,
    count(*) filter (where outcome <> 0 and majority <> 0) as comparable,
    count(*) filter (where outcome <> 0 and outcome = majority) as agreeing
  from judged
  group by experiment_id, dimension, rater_id
),
correctness as (
  select
    experiment_id, dimension, coalesce(rater_id, '') as rater_id,
    count(*) as ratings,
    count(*) filter (where is_correct) as correct,
    count(*) filter (where not is_correct) as incorrect
  from int_correctness
  group by experiment_id, dimension, coalesce(rater_id, '')
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
