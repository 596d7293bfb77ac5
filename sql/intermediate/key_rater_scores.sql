-- grain: one distinct score that a rater gave an item, per dimension and job
-- inputs: key_population
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters; 0 if unknown
--   item_id: number of the item in int_items. null: the rating has no stimulus
--   score: score (the experiment's scale)
--   n: ratings (count)
select
  dimension_id,
  job_no,
  coalesce(rater_no, 0) as rater_no,
  item_id,
  score,
  count(*) as n
from key_population
where score is not null
group by dimension_id, job_no, coalesce(rater_no, 0), item_id, score
