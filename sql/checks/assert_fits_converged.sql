-- severity: error
-- grain: one fit that did not converge: its numbers are not the fixed point
-- inputs: metric_bayesian_elo_fit, metric_bradley_terry_fit
-- units: none
-- nulls: none
select 'bayesian_elo' as kind, experiment_id, dimension, source, iterations
from metric_bayesian_elo_fit
where not is_converged
union all
select 'bradley_terry' as kind, experiment_id, dimension, source, iterations
from metric_bradley_terry_fit
where not is_converged
