-- severity: error
-- grain: one slate that ratings name and the slates list does not
-- inputs: stg_ratings, stg_slates
-- units: none
-- nulls: an experiment without any slates is not compared
select distinct experiment_id, slate_id
from stg_ratings
semi join (select distinct experiment_id from stg_slates) as compared using (experiment_id)
anti join stg_slates using (experiment_id, slate_id)
