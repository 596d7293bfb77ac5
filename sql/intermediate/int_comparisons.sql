-- stored: view
-- grain: one comparison: a slate and dimension with exactly two scores of two different items
-- inputs: int_slates
-- columns:
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
select * exclude (scored, skip_reason)
from int_slates
where outcome is not null
