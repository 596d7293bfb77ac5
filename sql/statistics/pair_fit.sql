-- grain: one experiment and dimension with comparisons
-- inputs: fit_pair_fit, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   items: items (count)
--   pairs: compared pairs (count)
--   deviance: deviance of Bradley-Terry, ties half. null: see reason
--   df: degrees of freedom: pairs less items plus one. null: see reason
--   p_bootstrap: share of 500 studies drawn from the fit with as large a deviance. null: see
--     reason, or df is 0
--   reason: why there is no deviance. null: there is one
select
  d.experiment_id,
  d.dimension,
  f.* exclude (dimension_id, reason),
  case f.reason
    when 1 then 'some items won or lost everything against the others'
    when 2 then 'more than 100 items'
  end as reason
from fit_pair_fit as f
join int_dimensions as d using (dimension_id)
order by d.experiment_id, d.dimension
