-- severity: error
-- grain: one slate whose training flag differs from that of a rating in it
-- inputs: stg_ratings, stg_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate
--   rating_is_training: training flag of the rating
--   slate_is_training: training flag of the slate
select distinct r.experiment_id, r.slate_id, r.is_training as rating_is_training, s.is_training as slate_is_training
from stg_ratings as r
join stg_slates as s using (experiment_id, slate_id)
where r.is_training <> s.is_training
