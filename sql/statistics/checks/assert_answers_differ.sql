-- severity: warning
-- grain: two raters, or two items, with the same answers; with the statistics only
-- inputs: identity
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   what: raters or items
--   first: rater or item that sorts first
--   second: the other one
select experiment_id, dimension, what, first, second
from identity
