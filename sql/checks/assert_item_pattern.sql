-- severity: warning
-- grain: one stimulus that the item pattern of the conventions does not match
-- inputs: stg_ratings
-- units: none
-- nulls: none; such a stimulus is an item under its whole name
select distinct experiment_id, stimulus
from stg_ratings
where not regexp_matches(stimulus, conventions().item_pattern)
