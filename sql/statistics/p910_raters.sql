-- grain: one rater, per experiment and dimension
-- inputs: fit_rater_model_raters, key_rater_items, int_dimensions, int_raters
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater
--   n: ratings (count)
--   bias: how much higher than others the rater scores on average (the experiment's scale). null:
--     see reason
--   inconsistency: standard deviation of the scores after quality and bias (the experiment's
--     scale). null: see reason
--   reason: why there are no numbers. null: there are
with
counts as (
  select dimension_id, rater_no, cast(sum(n) as integer) as n
  from key_rater_items
  where rater_no > 0
  group by dimension_id, rater_no
)
select
  d.experiment_id,
  d.dimension,
  r.rater_id,
  c.n,
  f.bias,
  f.inconsistency,
  case coalesce(f.reason, 1)
    when 1 then 'fewer than five scores of a rater, two raters or two items'
    when 2 then 'no rater links all items'
    when 3 then 'the fit does not converge'
  end as reason
from counts as c
left join fit_rater_model_raters as f using (dimension_id, rater_no)
join int_dimensions as d using (dimension_id)
join int_raters as r using (rater_no)
order by d.experiment_id, d.dimension, r.rater_id
