-- grain: one experiment, dimension and source with comparisons
-- inputs: key_pairs, key_sources, int_dimensions
-- columns:
--   group_id: number of the group in key_sources, in the order of (experiment_id, dimension,
--     source)
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   comparisons: comparisons (count)
select
  s.group_id,
  d.experiment_id,
  d.dimension,
  s.source,
  cast(sum(p.wins_a + p.wins_b + p.ties) as bigint) as comparisons
from key_pairs as p
join key_sources as s using (dimension_id, job_no)
join int_dimensions as d using (dimension_id)
group by s.group_id, d.experiment_id, d.dimension, s.source
