-- grain: one item and rule, per experiment and dimension; whole experiments only
-- inputs: screening, screening_ratings, int_population
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule of screening; bs1534 is both of its rules
--   item: item
--   n: ratings without screening (count)
--   mean: mean score without screening (the experiment's scale)
--   rank: rank without screening; 1 is the highest mean
--   screened_n: ratings after screening (count)
--   screened_mean: mean score after screening (the experiment's scale). null: no rating is left
--   screened_rank: rank after screening. null: no rating is left
with
rules as (
  select distinct experiment_id, dimension, rule, case when rule like 'bs1534%' then 'bs1534' else rule end as grouped
  from screening
),
raters as (
  select distinct experiment_id, dimension, rater_id, case when rule like 'bs1534%' then 'bs1534' else rule end as rule
  from screening
  where excluded
),
outliers as (
  select distinct experiment_id, dimension, rule, rater_id, session_id, slate_id, stimulus
  from screening_ratings
  where rule = 'p808' and side <> 0
),
judged as (
  select p.experiment_id, p.dimension, r.grouped as rule, p.item, p.score, x.rater_id is null and o.rater_id is null as is_kept
  from int_population as p
  join (select distinct experiment_id, dimension, grouped from rules) as r using (experiment_id, dimension)
  left join raters as x
    on x.experiment_id = p.experiment_id and x.dimension = p.dimension and x.rater_id = p.rater_id and x.rule = r.grouped
  left join outliers as o
    on o.experiment_id = p.experiment_id and o.dimension = p.dimension and o.rule = r.grouped and o.rater_id = p.rater_id
    and o.session_id is not distinct from p.session_id and o.slate_id is not distinct from p.slate_id and o.stimulus = p.stimulus
  where p.score is not null and p.item is not null
),
means as (
  select
    experiment_id, dimension, rule, item,
    count(*) as n,
    fsum(score order by score) / count(*) as mean,
    count(*) filter (where is_kept) as screened_n,
    fsum(score order by score) filter (where is_kept) / nullif(count(*) filter (where is_kept), 0) as screened_mean
  from judged
  group by experiment_id, dimension, rule, item
)
select
  experiment_id, dimension, rule, item, n, mean,
  rank() over (partition by experiment_id, dimension, rule order by mean desc) as rank,
  screened_n, screened_mean,
  case when screened_n > 0 then
    rank() over (partition by experiment_id, dimension, rule order by screened_mean desc nulls last)
  end as screened_rank
from means
order by experiment_id, dimension, rule, item
