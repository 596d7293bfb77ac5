-- severity: error
-- grain: one slate of a rating that is missing from the slates list; experiments without slates are skipped
-- inputs: stg_ratings, stg_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate. null: the rating names none
select distinct experiment_id, slate_id
from stg_ratings
semi join (select distinct experiment_id from stg_slates) as compared using (experiment_id)
anti join stg_slates using (experiment_id, slate_id)
