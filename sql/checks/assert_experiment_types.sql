-- severity: error
-- grain: one experiment whose own record names another type than the list of experiments; a missing
--     type is skipped
-- inputs: experiments, experiment_details
-- columns:
--   experiment_id: experiment
--   listed_type: type in the list
--   own_type: type in its own record
select d.experiment_id, e.type as listed_type, d.type as own_type
from experiments as e
join experiment_details as d on d.experiment_id = e.id
where d.type <> e.type
