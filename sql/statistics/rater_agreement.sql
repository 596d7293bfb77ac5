-- grain: one rater, per experiment and dimension
-- inputs: key_rater_items, metric_raters, int_dimensions, int_raters
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater
--   items: items that the rater and another one scored (count)
--   leave_one_out_r: Pearson's r of the rater's mean scores of those items with the means of the
--     other raters' mean scores. null: fewer than three items, or no variation
--   comparable: preferences on pairs on which the other raters have a majority (count)
--   agreement_pct: share of the comparable preferences that agree with that majority (percent).
--     null: none is comparable
--   chance_z: standard errors above the 50 % that guessing gives: (agreeing − n/2) / √(n/4). null:
--     none is comparable
with
means as (
  select dimension_id, item_id, rater_no, total / n as mean
  from key_rater_items
  where rater_no > 0
),
items as (
  select dimension_id, item_id, count(*) as raters, sorted_sum(mean) as total
  from means
  group by dimension_id, item_id
),
compared as (
  select
    m.dimension_id, m.rater_no,
    m.mean as own,
    (i.total - m.mean) / (i.raters - 1) as others
  from means as m
  join items as i using (dimension_id, item_id)
  where i.raters > 1
),
centres as (
  select
    dimension_id, rater_no, count(*) as items,
    sorted_sum(own) / count(*) as own_mean,
    sorted_sum(others) / count(*) as others_mean,
    is_above(max(own), min(own)) and is_above(max(others), min(others)) as is_varied
  from compared
  group by dimension_id, rater_no
),
correlations as (
  select
    b.dimension_id, b.rater_no, any_value(c.items) as items, any_value(c.is_varied) as is_varied,
    ordered_sum((own - own_mean) * (others - others_mean), (own, others)) as products,
    ordered_sum((own - own_mean) ** 2, own) as own_squares,
    ordered_sum((others - others_mean) ** 2, others) as others_squares
  from compared as b
  join centres as c using (dimension_id, rater_no)
  group by b.dimension_id, b.rater_no
),
named as (
  select
    d.experiment_id, d.dimension, r.rater_id, c.items,
    case when c.items > 2 and c.is_varied
      then products / sqrt(own_squares * others_squares) end as leave_one_out_r
  from correlations as c
  join int_dimensions as d using (dimension_id)
  join int_raters as r using (rater_no)
)
select
  m.experiment_id, m.dimension, m.rater_id,
  coalesce(n.items, 0) as items,
  n.leave_one_out_r, m.comparable, m.agreement_pct,
  (m.agreement_pct / 100 - 0.5) * 2 * sqrt(m.comparable) as chance_z
from metric_raters as m
left join named as n using (experiment_id, dimension, rater_id)
where m.rater_id <> ''
order by m.experiment_id, m.dimension, m.rater_id
