-- grain: one fit, per experiment, dimension and source
-- inputs: fit_bradley_terry_groups, int_groups
-- units: is_separated says that some items won or lost everything against others: compare within a class only
-- nulls: tie_chance (of a tie between equals) and tie_scale NULL unless ties are Davidson's by convention
select
  g.experiment_id,
  g.dimension,
  g.source,
  f.classes > f.components as is_separated,
  f.* exclude (group_id)
from fit_bradley_terry_groups as f
join int_groups as g using (group_id)
order by g.experiment_id, g.dimension, g.source
