-- grain: one score of a rater for a stimulus of a slate
-- inputs: key_score_counts, key_population, int_population
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   rater_no: number of the rater in int_raters
--   session_no: number of the session in int_sessions. null: the rating names none
--   slate_id: slate
--   stimulus: 64 bits that stand for the stimulus
--   score: score (the experiment's scale)
with
-- Every rater up to 400,000 answers, every second up to 800,000 and so on: more do not make the
-- numbers surer.
chosen as (
  select dimension_id, cast(ceil(sum(n) / 400000) as integer) as every
  from key_score_counts
  group by dimension_id
)
-- Without a pattern for items an item is its stimulus.
select dimension_id, rater_no, session_no, slate_id, hash(item_id) as stimulus, score
from key_population
join chosen using (dimension_id)
where conventions().item_pattern is null and rater_no % every = 0
  and score is not null and item_id is not null and rater_no is not null and slate_id is not null
union all
select dimension_id, rater_no, session_no, slate_id, hash(stimulus) as stimulus, score
from int_population
join chosen using (dimension_id)
where conventions().item_pattern is not null and rater_no % every = 0
  and score is not null and stimulus is not null and rater_no is not null and slate_id is not null
