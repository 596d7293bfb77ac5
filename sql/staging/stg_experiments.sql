-- grain: one experiment
-- inputs: experiments
-- units: instants
-- nulls: as published
select
  id as experiment_id,
  name as experiment_name,
  type as experiment_type,
  date_created as created_at,
  date_updated as updated_at
from experiments
