-- severity: error
-- grain: one experiment, dimension and source with a different number of wins and losses
-- inputs: metric_win_loss
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   wins: comparisons won (count)
--   losses: comparisons lost (count)
select experiment_id, dimension, source, sum(wins) as wins, sum(losses) as losses
from metric_win_loss
group by experiment_id, dimension, source
having sum(wins) <> sum(losses)
