-- grain: one rater, per experiment, dimension and source; empty unless the convention has rater
--     quality
-- inputs: fit_bayesian_elo_raters, int_groups, int_raters
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   rater_id: rater; '' for comparisons without one
--   quality: probability that the rater's preference is genuine
select
  g.experiment_id,
  g.dimension,
  g.source,
  coalesce(r.rater_id, '') as rater_id,
  f.quality
from fit_bayesian_elo_raters as f
join int_groups as g using (group_id)
left join int_raters as r using (rater_no)
order by g.experiment_id, g.dimension, g.source, rater_id
