-- grain: one rater, or rating for p808, that a rule of screening leaves out; empty without the
--     convention screen
-- inputs: int_excluded
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule of screening; bs1534 is both of its rules
--   exclusion_key: screening_key of its ratings
-- With the convention its rows are those of key_screened_by_rule, which are not computed without
-- it.
select experiment_id, '' as dimension, '' as rule, exclusion_key
from int_excluded
where false
