-- severity: error
-- grain: one slate id that an experiment lists more than once
-- inputs: key_odd_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate
--   slates: occurrences in the list (count)
select experiment_id, slate_id, slates
from key_odd_slates
where slates > 1
