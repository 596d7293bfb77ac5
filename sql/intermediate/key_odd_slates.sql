-- grain: one slate of an experiment with slates that is not listed exactly once, or whose training
--     flag differs from a rating's
-- inputs: stg_ratings, stg_slates
-- columns:
--   experiment_id: experiment
--   slate_id: slate. null: the rating names none
--   slates: occurrences in the slates list (count)
--   flags: sum of 1 if it has a training rating, 2 if another rating, 4 if it is listed for
--     training, 8 if otherwise
-- Both lists are read once for three checks.
with
flagged as (
  select experiment_id, slate_id, case when is_training then 1 else 2 end as flag
  from stg_ratings
  semi join (select distinct experiment_id from stg_slates) as compared using (experiment_id)
  union all
  select experiment_id, slate_id, case when is_training then 4 else 8 end as flag
  from stg_slates
)
select experiment_id, slate_id, count(*) filter (where flag >= 4) as slates, bit_or(flag) as flags
from flagged
group by experiment_id, slate_id
having count(*) filter (where flag >= 4) <> 1 or bit_or(flag) not in (4, 5, 8, 10)
