-- grain: one item and rule, per experiment and dimension; whole experiments only
-- inputs: screening, key_screened_by_rule, int_judged, int_directions, int_roles
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule of screening; bs1534 is both of its rules
--   item: item
--   n: ratings without screening (count)
--   mean: mean score without screening (the experiment's scale)
--   rank: rank without screening; 1 is the best mean, the highest where no direction is known.
--     null: the hidden reference
--   screened_n: ratings after screening (count)
--   screened_mean: mean score after screening (the experiment's scale). null: no rating is left
--   screened_rank: rank after screening. null: no rating is left, or the hidden reference
with
rules as (
  select distinct experiment_id, dimension, screen_of(rule) as rule from screening
),
judged as (
  select j.experiment_id, j.dimension, r.rule, j.item, j.score, x.exclusion_key is null as is_kept
  from int_judged as j
  join rules as r using (experiment_id, dimension)
  left join key_screened_by_rule as x
    on x.experiment_id = j.experiment_id and x.dimension = j.dimension and x.rule = r.rule
    and x.exclusion_key = screening_key(r.rule, j.rater_id, j.session_id, j.slate_id, j.stimulus)
  where j.left_out_by is null and j.score is not null and j.item is not null
),
means as (
  select
    experiment_id, dimension, rule, item,
    count(*) as n,
    sorted_sum(score) / count(*) as mean,
    count(*) filter (where is_kept) as screened_n,
    sorted_sum(case when is_kept then score end)
      / nullif(count(*) filter (where is_kept), 0) as screened_mean
  from judged
  group by experiment_id, dimension, rule, item
),
ranked as (
  select m.*, r.item_id is not null as is_reference
  from means as m
  left join int_roles as r
    on r.experiment_id = m.experiment_id and r.item = m.item and r.role = 'reference'
)
select
  experiment_id, dimension, rule, item, n, mean,
  case when not is_reference
    then rank_of(sign * mean, (experiment_id, dimension, rule, is_reference)) end as rank,
  screened_n, screened_mean,
  case when screened_n > 0 and not is_reference
    then rank_of(sign * screened_mean, (experiment_id, dimension, rule, is_reference))
  end as screened_rank
from ranked
join int_directions using (experiment_id, dimension)
order by experiment_id, dimension, rule, item
