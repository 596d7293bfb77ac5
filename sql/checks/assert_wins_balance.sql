-- severity: error
-- grain: one experiment, dimension and source in which wins and losses differ in number
-- inputs: metric_win_loss
-- units: comparisons
-- nulls: none
select experiment_id, dimension, source, sum(wins) as wins, sum(losses) as losses
from metric_win_loss
group by experiment_id, dimension, source
having sum(wins) <> sum(losses)
