-- severity: error
-- grain: one experiment, dimension and source whose mean Elo differs from the start value by more
--     than 1e-6, the rounding of 10 million updates
-- inputs: metric_elo
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   mean_elo: mean rating, which should be the start value to 1e-6 (Elo)
select experiment_id, dimension, source, favg(value) as mean_elo
from metric_elo
group by experiment_id, dimension, source
having abs(favg(value) - conventions().elo.start) > 1e-6
