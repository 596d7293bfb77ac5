-- stored: table
-- grain: one experiment
-- inputs: experiments
-- columns:
--   experiment_id: experiment
--   experiment_name: name. null: not given
--   experiment_type: type. null: not given
--   created_at: creation (instant). null: not given
--   updated_at: last update (instant). null: not given
--   roles: names of items by role: reference, anchors (JSON). null: none are stated
select
  id as experiment_id,
  name as experiment_name,
  type as experiment_type,
  date_created as created_at,
  date_updated as updated_at,
  json_extract(config, '$.roles') as roles
from experiments
