-- stored: while shared
-- grain: one rating of the population, by number
-- inputs: int_population
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the rating names none
--   slate_id: slate. null: the rating names none
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters. null: unknown
--   item_id: number of the item in int_items. null: the rating has no stimulus
--   score: score (the experiment's scale). null: not scored
-- Finding the numbers of two million ratings takes 0.3 s of CPU, reading them 0.02 s. The table
-- takes 36 bytes a rating.
select dimension_id, session_no, slate_id, job_no, rater_no, item_id, score
from int_population
