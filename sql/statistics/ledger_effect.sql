-- grain: one item and rule that leaves out scores, per experiment and dimension; whole experiments only
-- inputs: ledger
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule, as in ledger.left_out_by
--   item: item
--   left_out: scores that the rule leaves out (count)
--   n: scores that count (count)
--   mean: their mean (the experiment's scale). null: none counts
--   rank: rank of the mean; 1 is the highest. null: no score counts
--   mean_without_rule: mean if the scores that the rule leaves out counted too (the experiment's scale)
--   rank_without_rule: its rank
with
rules as (
  select distinct experiment_id, dimension, left_out_by as rule
  from ledger
  where not is_counted and score is not null and item is not null
),
means as (
  select
    r.experiment_id, r.dimension, r.rule, l.item,
    count(*) filter (where not l.is_counted) as left_out,
    count(*) filter (where l.is_counted) as n,
    fsum(l.score order by l.score) filter (where l.is_counted) / nullif(count(*) filter (where l.is_counted), 0) as mean,
    fsum(l.score order by l.score) / count(*) as mean_without_rule
  from rules as r
  join ledger as l using (experiment_id, dimension)
  where l.score is not null and l.item is not null and (l.is_counted or l.left_out_by = r.rule)
  group by r.experiment_id, r.dimension, r.rule, l.item
)
select
  experiment_id, dimension, rule, item, left_out, n, mean,
  case when n > 0 then rank() over (partition by experiment_id, dimension, rule order by mean desc nulls last) end as rank,
  mean_without_rule,
  rank() over (partition by experiment_id, dimension, rule order by mean_without_rule desc) as rank_without_rule
from means
order by experiment_id, dimension, rule, item
