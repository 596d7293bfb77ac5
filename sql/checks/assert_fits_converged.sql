-- severity: error
-- grain: one fit that did not converge: its numbers are not the fixed point
-- inputs: metric_bayesian_elo_fit, metric_bradley_terry_fit
-- columns:
--   kind: metric kind
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   iterations: iterations of the fit (count)
select 'bayesian_elo' as kind, experiment_id, dimension, source, iterations
from metric_bayesian_elo_fit
where not is_converged
union all
select 'bradley_terry' as kind, experiment_id, dimension, source, iterations
from metric_bradley_terry_fit
where not is_converged
