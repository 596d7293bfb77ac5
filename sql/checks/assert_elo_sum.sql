-- severity: error
-- grain: one experiment, dimension and source whose mean Elo is not the start value
-- inputs: metric_elo
-- units: Elo; the tolerance of 1e-6 is for rounding over 10 million updates
-- nulls: none
select experiment_id, dimension, source, favg(value) as mean_elo
from metric_elo
group by experiment_id, dimension, source
having abs(favg(value) - conventions().elo.start) > 1e-6
