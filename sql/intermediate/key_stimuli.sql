-- grain: one stimulus and dimension that a rating of an experiment names
-- inputs: stg_ratings
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   stimulus_id: stimulus. null: not given
--   stimulus: name of the stimulus, or its id as text. null: neither is given
-- The ratings are read once for items, dimensions and the names that published scores may use: of
-- 1,000 experiments each
-- reading takes 0.2 s of CPU.
select distinct experiment_id, dimension, stimulus_id, stimulus
from stg_ratings
