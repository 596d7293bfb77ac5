-- severity: error
-- grain: one slate of a rating that is missing from the slates list; experiments without slates are
--     skipped
-- inputs: key_odd_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate. null: the rating names none
select experiment_id, slate_id
from key_odd_slates
where slates = 0
