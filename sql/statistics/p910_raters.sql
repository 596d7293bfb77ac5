-- grain: one rater, per experiment and dimension
-- inputs: fit_rater_model_raters, int_dimensions, int_raters
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater
--   n: ratings (count)
--   bias: how much higher than others the rater scores on average (the experiment's scale). null: see reason
--   inconsistency: standard deviation of the scores after quality and bias (the experiment's scale). null: see reason
--   reason: why there are no numbers. null: there are
select
  d.experiment_id,
  d.dimension,
  r.rater_id,
  f.n,
  f.bias,
  f.inconsistency,
  case f.reason
    when 1 then 'fewer than five scores of a rater, two raters or two items'
    when 2 then 'no rater links all items'
    when 3 then 'the fit does not converge'
  end as reason
from fit_rater_model_raters as f
join int_dimensions as d using (dimension_id)
join int_raters as r using (rater_no)
order by d.experiment_id, d.dimension, r.rater_id
