-- grain: one item, metric of comparisons and rule that leaves out scores of slates, per experiment
--     and dimension; whole experiments only
-- inputs: fit_comparison_effect, key_ledger_rules, metric_win_loss, metric_elo,
--     metric_bayesian_elo, metric_bradley_terry, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule, as in ledger.left_out_by
--   kind: win_loss, elo, bayesian_elo or bradley_terry
--   item: item
--   value: number as it is: percent won with ties half, rating (Elo) or log worth. null: no
--     comparison, or no finite worths
--   rank: its rank; 1 is the highest. null: as value
--   value_without_rule: the same if what the rule leaves out counted too. null: no comparison, no
--     finite worths, or a convention of bayesian_elo with raters or a warm start
--   rank_without_rule: its rank. null: as value_without_rule
with
current_values as (
  select 'win_loss' as kind, experiment_id, dimension, item, 100 * (wins + ties / 2) / n as value
    from metric_win_loss where source = ''
  union all
  select 'elo', experiment_id, dimension, item, value from metric_elo where source = ''
  union all
  select 'bayesian_elo', experiment_id, dimension, item, value from metric_bayesian_elo
    where source = ''
  union all
  select
    'bradley_terry', experiment_id, dimension, item,
    case when max(class) over (partition by experiment_id, dimension) = 0 then value end
  from metric_bradley_terry
  where source = ''
),
moved as (
  select
    f.rule_no, i.item, k.kind,
    case k.kind
      when 'win_loss' then f.win_loss when 'elo' then f.elo when 'bayesian_elo' then f.bayesian_elo
        else f.bradley_terry
    end as value
  from fit_comparison_effect as f
  join int_items as i using (item_id)
  cross join (values ('win_loss'), ('elo'), ('bayesian_elo'), ('bradley_terry')) as k (kind)
),
unmoved as (
  select r.rule_no, c.kind, c.item, c.value
  from key_ledger_rules as r
  join int_dimensions as d using (dimension_id)
  join current_values as c using (experiment_id, dimension)
),
compared as (
  select rule_no, kind, item, u.value, m.value as value_without_rule
  from unmoved as u
  full join moved as m using (rule_no, kind, item)
)
select
  d.experiment_id, d.dimension, r.rule, c.kind, c.item,
  c.value,
  case when c.value is not null then rank_of(c.value, (c.rule_no, c.kind)) end as rank,
  c.value_without_rule,
  case when c.value_without_rule is not null
    then rank_of(c.value_without_rule, (c.rule_no, c.kind)) end as rank_without_rule
from compared as c
join key_ledger_rules as r using (rule_no)
join int_dimensions as d using (dimension_id)
order by d.experiment_id, d.dimension, r.rule, c.kind, c.item
