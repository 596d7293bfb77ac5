-- grain: one rater, published flag and flag of the meta, per experiment and dimension
-- inputs: int_correctness
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater; '' for ratings without one
--   published_is_correct: the flag as the service published it. null: the rating can be neither
--     correct nor incorrect
--   is_correct: the flag as the meta gives it. null: no usable flag and no usable bounds, or bounds
--     and no score
--   odd_shape: what the interface does not define about isCorrect or the bounds in its place. null:
--     nothing
--   ratings: ratings (count)
-- The metas are read once for counts and two checks, which read them again only if there is
-- something to find.
select
  experiment_id, dimension, coalesce(rater_id, '') as rater_id, published_is_correct, is_correct,
  odd_shape,
  count(*) as ratings
from int_correctness
group by experiment_id, dimension, coalesce(rater_id, ''), published_is_correct, is_correct,
  odd_shape
