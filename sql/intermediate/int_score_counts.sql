-- grain: one distinct score of an item, per experiment, dimension and source
-- inputs: key_score_counts, key_sources, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   score: score (the experiment's scale)
--   n: ratings (count)
select
  d.experiment_id,
  d.dimension,
  s.source,
  i.item,
  k.score,
  cast(sum(k.n) as bigint) as n
from key_score_counts as k
join key_sources as s using (dimension_id, job_no)
join int_dimensions as d using (dimension_id)
left join int_items as i using (item_id)
group by d.experiment_id, d.dimension, s.source, i.item, k.score
