-- grain: one fit, per experiment, dimension and source
-- inputs: fit_bradley_terry_groups, int_groups
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   is_separated: whether some items won or lost everything against others: compare within a class
--     only
--   items: items (count)
--   raters: raters (count)
--   components: sets of items that no comparison links (count)
--   classes: classes (count)
--   iterations: iterations of the fit (count)
--   is_converged: whether the fit converged: if not, the numbers are not the fixed point
--   tie_chance: probability of a tie between equal items. null: ties count as half
--   tie_scale: exponent of the tie odds; 1 in Davidson's model. null: ties count as half
select
  g.experiment_id,
  g.dimension,
  g.source,
  f.classes > f.components as is_separated,
  f.* exclude (group_id)
from fit_bradley_terry_groups as f
join int_groups as g using (group_id)
order by g.experiment_id, g.dimension, g.source
