-- severity: warning
-- grain: one stimulus that the item pattern of the conventions does not match: its whole name is
--     the item
-- inputs: stg_ratings
-- columns:
--   experiment_id: experiment
--   stimulus: name of the stimulus
select distinct experiment_id, stimulus
from stg_ratings
where not regexp_matches(stimulus, conventions().item_pattern)
