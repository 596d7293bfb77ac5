-- grain: one rater, or rating for p808, that a rule of screening leaves out, per experiment and
--     dimension
-- inputs: screening, screening_ratings
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule of screening; bs1534 is both of its rules
--   exclusion_key: screening_key of its ratings
select distinct experiment_id, dimension, screen_of(rule) as rule, rater_id as exclusion_key
from screening
where excluded
union all
select distinct
  experiment_id, dimension, rule,
  screening_key(rule, rater_id, session_id, slate_id, stimulus) as exclusion_key
from screening_ratings
where rule = 'p808' and side <> 0
