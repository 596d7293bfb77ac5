-- stored: view
-- grain: one comparison: a slate and dimension with exactly two scores of two different items
-- inputs: int_slates
-- units: outcome 1 item_a was preferred, -1 item_b, 0 a tie; item_a sorts before item_b
-- nulls: updated_at NULL where the slate is not listed; service_rank NULL where the rating names no session
select * exclude (scored, skip_reason)
from int_slates
where outcome is not null
