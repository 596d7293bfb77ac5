-- grain: one item, per experiment and dimension; whole experiments only
-- inputs: fit_rater_model, key_rater_items, int_dimensions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   item: item
--   n: ratings with a rater (count)
--   mos: mean score (the experiment's scale)
--   quality: quality by ITU-T P.910's model of raters (the experiment's scale). null: see reason
--   std_error: its standard error (the experiment's scale). null: see reason
--   reason: why there is no quality. null: there is one
with
means as (
  select
    dimension_id, item_id, cast(sum(n) as integer) as n,
    fsum(total order by rater_no) / cast(sum(n) as bigint) as mos
  from key_rater_items
  where rater_no > 0
  group by dimension_id, item_id
)
select
  d.experiment_id,
  d.dimension,
  i.item,
  m.n,
  m.mos,
  f.quality,
  f.std_error,
  case coalesce(f.reason, 1)
    when 1 then 'fewer than five scores of a rater, two raters or two items'
    when 2 then 'no rater links all items'
    when 3 then 'the fit does not converge'
  end as reason
from means as m
left join fit_rater_model as f using (dimension_id, item_id)
join int_dimensions as d using (dimension_id)
join int_items as i using (item_id)
order by d.experiment_id, d.dimension, i.item
