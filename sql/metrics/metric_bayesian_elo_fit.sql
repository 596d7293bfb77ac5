-- grain: one fit, per experiment, dimension and source
-- inputs: fit_bayesian_elo_groups, int_groups
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   items: items (count)
--   components: sets of items that no comparison links (count)
--   iterations: iterations of the fit (count)
--   is_converged: whether the fit converged: if not, the numbers are not the fixed point
--   max_change_elo: largest change of an item in the last iteration (Elo)
--   tie_chance: probability of a tie between equal items. null: ties have no parameter of their own
select
  g.experiment_id,
  g.dimension,
  g.source,
  f.* exclude (group_id)
from fit_bayesian_elo_groups as f
join int_groups as g using (group_id)
order by g.experiment_id, g.dimension, g.source
