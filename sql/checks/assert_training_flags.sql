-- severity: error
-- grain: one slate whose training flag differs from that of a rating in it
-- inputs: key_odd_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate
--   rating_is_training: training flag of the rating
--   slate_is_training: training flag of the slate
select experiment_id, slate_id, true as rating_is_training, false as slate_is_training
from key_odd_slates
where (flags & 9) = 9
union all
select experiment_id, slate_id, false as rating_is_training, true as slate_is_training
from key_odd_slates
where (flags & 6) = 6
