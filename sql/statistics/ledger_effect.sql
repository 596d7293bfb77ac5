-- grain: one item and rule that leaves out scores, per experiment and dimension; whole experiments
--     only
-- inputs: key_ledger, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule, as in ledger.left_out_by
--   item: item
--   left_out: scores that the rule leaves out, and no other rule would (count)
--   n: scores that count (count)
--   mean: their mean (the experiment's scale). null: none counts
--   rank: rank of the mean; 1 is the highest. null: no score counts
--   mean_without_rule: mean if the scores that the rule leaves out counted too (the experiment's
--     scale)
--   rank_without_rule: its rank
--   approved_pct: approved share of the scores that count, as in metric_percent_approved (percent).
--     null: none counts
--   approved_rank: rank of the share; 1 is the highest. null: no score counts
--   approved_pct_without_rule: the share if the scores that the rule leaves out counted too
--     (percent)
--   approved_rank_without_rule: its rank
with
rules as (
  select distinct dimension_id, left_out_by as rule
  from key_ledger
  where left_out_by is not null and not is_left_out_twice and score is not null
    and item_id is not null
),
scores as (
  select dimension_id, item_id, left_out_by is null as is_counted, left_out_by, score, count(*) as n
  from key_ledger
  where score is not null and item_id is not null and not is_left_out_twice
  group by dimension_id, item_id, left_out_by, score
),
judged as (
  select
    r.rule, s.*,
    case conventions().approved
      when 'midpoint' then score >= min(score) filter (where is_counted)
        over of_rule / 2 + max(score) filter (where is_counted) over of_rule / 2
      else score > 0
    end as is_approved,
    case conventions().approved
      when 'midpoint' then score >= min(score) over of_rule / 2 + max(score) over of_rule / 2
      else score > 0
    end as is_approved_without
  from rules as r
  join scores as s using (dimension_id)
  where s.is_counted or s.left_out_by = r.rule
  window of_rule as (partition by dimension_id, r.rule)
),
means as (
  select
    dimension_id, rule, item_id,
    cast(coalesce(sum(n) filter (where not is_counted), 0) as bigint) as left_out,
    cast(coalesce(sum(n) filter (where is_counted), 0) as bigint) as n,
    fsum(score * n order by score)
      filter (where is_counted) / nullif(sum(n) filter (where is_counted), 0) as mean,
    fsum(score * n order by score) / sum(n) as mean_without_rule,
    100 * coalesce(sum(n) filter (where is_counted and is_approved), 0)
      / nullif(sum(n) filter (where is_counted), 0) as approved_pct,
    100 * coalesce(sum(n) filter (where is_approved_without), 0)
      / sum(n) as approved_pct_without_rule
  from judged
  group by dimension_id, rule, item_id
)
select
  d.experiment_id, d.dimension, m.rule, i.item, m.left_out, m.n, m.mean,
  case when n > 0 then rank_of(mean, (m.dimension_id, m.rule)) end as rank,
  m.mean_without_rule,
  rank_of(mean_without_rule, (m.dimension_id, m.rule)) as rank_without_rule,
  m.approved_pct,
  case when n > 0 then rank_of(approved_pct, (m.dimension_id, m.rule)) end as approved_rank,
  m.approved_pct_without_rule,
  rank_of(approved_pct_without_rule, (m.dimension_id, m.rule)) as approved_rank_without_rule
from means as m
join int_dimensions as d using (dimension_id)
join int_items as i using (item_id)
order by d.experiment_id, d.dimension, m.rule, i.item
