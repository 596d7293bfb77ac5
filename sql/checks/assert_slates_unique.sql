-- severity: error
-- grain: one slate id that an experiment lists more than once
-- inputs: stg_slates
-- units: slates counts how often
-- nulls: none
select experiment_id, slate_id, count(*) as slates
from stg_slates
group by experiment_id, slate_id
having count(*) > 1
