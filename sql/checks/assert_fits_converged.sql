-- grain: one fit that did not converge: its numbers are not the fixed point
-- inputs: metric_bayesian_elo_fit
-- units: max_change_elo in Elo
-- nulls: none
select 'bayesian_elo' as kind, experiment_id, dimension, source, iterations, max_change_elo
from metric_bayesian_elo_fit
where not is_converged
