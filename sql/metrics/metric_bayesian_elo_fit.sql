-- grain: one fit, per experiment, dimension and source
-- inputs: fit_bayesian_elo_groups, int_groups
-- units: max_change_elo is the last step's largest change in Elo
-- nulls: none; is_converged false means that the numbers of this group are not the fixed point
select
  g.experiment_id,
  g.dimension,
  g.source,
  f.* exclude (group_id)
from fit_bayesian_elo_groups as f
join int_groups as g using (group_id)
order by g.experiment_id, g.dimension, g.source
