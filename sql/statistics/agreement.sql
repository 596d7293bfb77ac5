-- grain: one statistic of agreement, per experiment, dimension and kind of answer; whole
--     experiments only
-- inputs: fit_agreement, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   answers: what the raters agree on: scores of items, or comparisons (which item of a pair is
--     better, in either order of the two)
--   statistic: name, as docs/reference/statistics.md explains it
--   units: what was judged: items or pairs of items, each on a prompt or of its own stimuli; a
--     comparison without either is a unit of its own (count)
--   raters: raters (count)
--   n: ratings, one for each rater and unit (count)
--   value: the statistic; 1 is perfect agreement. null: see reason
--   ci_low: lower end of its 95 % interval: over resampled units for Krippendorff's alpha, which is
--     too narrow (docs/reference/statistics.md), by F for ICC, by Gwet's variance over units for
--     his coefficients. null: it has none
--   ci_high: upper end of its 95 % interval. null: it has none
--   rater_ci_low: lower end of its 95 % interval over resampled raters. null: it has none
--   rater_ci_high: upper end of its 95 % interval over resampled raters. null: it has none
--   reason: why there is no value. null: there is one
with
named as (
  select
    *,
    case when group_id % 2 = 0 then 'scores' else 'comparisons' end as answers,
    [
      'krippendorff_nominal', 'krippendorff_ordinal', 'krippendorff_interval',
      'icc_1', 'icc_1_k', 'icc_a_1', 'icc_a_k',
      'fleiss_kappa', 'mean_pairwise_kappa', 'gwet_ac1', 'gwet_ac2_ordinal'
    ][statistic + 1] as name
  from fit_agreement
)
select
  d.experiment_id,
  d.dimension,
  n.answers,
  n.name as statistic,
  n.units,
  n.raters,
  n.n,
  n.value,
  n.ci_low,
  n.ci_high,
  n.rater_ci_low,
  n.rater_ci_high,
  case n.reason
    when 1 then 'no two raters share a unit'
    when 2 then 'no variation'
    when 3 then 'not every rater rated every unit'
    when 4 then 'more than 20 different values, or too many pairs of raters'
    when 5 then 'the units do not differ more than by chance'
  end as reason
from named as n
join int_dimensions as d on d.dimension_id = cast(floor(n.group_id / 2) as integer)
order by d.experiment_id, d.dimension, n.answers, n.statistic
