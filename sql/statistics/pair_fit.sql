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
--   triples: triples of which every pair was compared (count). null: see reason
--   weak_violations: triples that violate weak stochastic transitivity (count). null: see reason
--   moderate_violations: triples that violate moderate stochastic transitivity (count). null: see
--     reason
--   strong_violations: triples that violate strong stochastic transitivity (count). null: see
--     reason
--   circular_triads: circular triads of the majorities (count). null: see triads_reason
--   zeta: Kendall's coefficient of consistence: 1 without circular triads, 0 with the most. null:
--     circular_triads is null
--   triads_reason: why there is no number of circular triads. null: there is one
--   reason: why there is no deviance. null: there is one
select
  d.experiment_id,
  d.dimension,
  f.* exclude (dimension_id, triads_reason, reason),
  case f.triads_reason
    when 1 then 'fewer than three items'
    when 2 then 'a pair was not compared'
    when 3 then 'a pair has no majority'
    when 4 then 'more than 100 items'
  end as triads_reason,
  case f.reason
    when 1 then 'some items won or lost everything against the others'
    when 2 then 'more than 100 items'
  end as reason
from fit_pair_fit as f
join int_dimensions as d using (dimension_id)
order by d.experiment_id, d.dimension
