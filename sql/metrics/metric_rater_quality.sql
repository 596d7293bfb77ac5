-- grain: one rater, per experiment, dimension and source
-- inputs: fit_bayesian_elo_raters, int_groups, int_raters
-- units: quality is a probability
-- nulls: none; empty unless the convention has rater quality
select
  g.experiment_id,
  g.dimension,
  g.source,
  r.rater_id,
  f.quality
from fit_bayesian_elo_raters as f
join int_groups as g using (group_id)
join int_raters as r using (rater_no)
order by g.experiment_id, g.dimension, g.source, r.rater_id
