-- stored: view
-- grain: one comparison and source: '' is the whole experiment, otherwise a job or a published set of jobs
-- inputs: int_comparisons, int_job_sets
-- columns:
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   session_id: session. null: the ratings name none
--   slate_id: slate. null: the rating names none
--   job_id: job; '' for none
--   rater_id: rater. null: unknown
--   service_rank: position of the session in the service order, from 1. null: the rating names no session
--   item_a: the item that sorts first
--   item_b: the other item
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   outcome: 1: item_a won, -1: item_b won, 0: tie
select '' as source, * from int_comparisons
union all
select job_id as source, * from int_comparisons
where job_id <> ''
union all
select s.source, c.*
from int_comparisons as c
join int_job_sets as s on s.experiment_id = c.experiment_id and s.job_id = c.job_id
