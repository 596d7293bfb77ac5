-- severity: error
-- grain: one slate id that an experiment lists more than once
-- inputs: stg_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate
--   slates: occurrences in the list (count)
select experiment_id, slate_id, count(*) as slates
from stg_slates
group by experiment_id, slate_id
having count(*) > 1
