-- grain: one item and rule that leaves out scores, per experiment and dimension; whole experiments only
-- inputs: key_ledger, int_dimensions, int_items
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
  select distinct dimension_id, left_out_by as rule
  from key_ledger
  where left_out_by is not null and score is not null and item_id is not null
),
scores as (
  select dimension_id, item_id, left_out_by, score, count(*) as n
  from key_ledger
  where score is not null and item_id is not null
  group by dimension_id, item_id, left_out_by, score
),
means as (
  select
    r.dimension_id, r.rule, s.item_id,
    cast(coalesce(sum(s.n) filter (where s.left_out_by is not null), 0) as bigint) as left_out,
    cast(coalesce(sum(s.n) filter (where s.left_out_by is null), 0) as bigint) as n,
    fsum(s.score * s.n order by s.score) filter (where s.left_out_by is null)
      / nullif(sum(s.n) filter (where s.left_out_by is null), 0) as mean,
    fsum(s.score * s.n order by s.score) / sum(s.n) as mean_without_rule
  from rules as r
  join scores as s using (dimension_id)
  where s.left_out_by is null or s.left_out_by = r.rule
  group by r.dimension_id, r.rule, s.item_id
)
select
  d.experiment_id, d.dimension, m.rule, i.item, m.left_out, m.n, m.mean,
  case when n > 0 then rank() over (partition by m.dimension_id, m.rule order by mean desc nulls last) end as rank,
  m.mean_without_rule,
  rank() over (partition by m.dimension_id, m.rule order by mean_without_rule desc) as rank_without_rule
from means as m
join int_dimensions as d using (dimension_id)
join int_items as i using (item_id)
order by d.experiment_id, d.dimension, m.rule, i.item
