-- severity: error
-- grain: one slate whose training flag is not the one of its ratings
-- inputs: stg_ratings, stg_slates
-- units: none
-- nulls: none
select distinct r.experiment_id, r.slate_id, r.is_training as rating_is_training, s.is_training as slate_is_training
from stg_ratings as r
join stg_slates as s using (experiment_id, slate_id)
where r.is_training <> s.is_training
