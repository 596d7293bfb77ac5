-- grain: one experiment and dimension in which raters rated a slate of the same stimuli twice
-- inputs: key_repeats, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   slates: slates that a rater rated a second time (count)
--   raters: raters of whom there are such slates: of more than 400,000 ratings, every second one or
--     fewer are looked at (count)
--   n: first and second scores of a rater for the same stimulus of the same slate (count)
--   equal_pct: share of equal scores (percent)
--   concordance: Lin's concordance correlation coefficient of the second with the first scores.
--     null: fewer than three, or no variation
with
sizes as (
  select dimension_id, count(*) as slates, count(distinct rater_no) as raters
  from (select distinct dimension_id, rater_no, stimuli from key_repeats)
  group by dimension_id
),
-- Few different pairs of scores, however many answers.
pairs as (
  select dimension_id, first, second, count(*) as n
  from key_repeats
  group by dimension_id, first, second
),
means as (
  select
    dimension_id,
    cast(sum(n) as bigint) as n,
    fsum(n * first order by first, second) / cast(sum(n) as bigint) as first_mean,
    fsum(n * second order by first, second) / cast(sum(n) as bigint) as second_mean
  from pairs
  group by dimension_id
),
sums as (
  select
    dimension_id,
    coalesce(sum(p.n) filter (where first = second), 0) as equal,
    fsum(p.n * (first - first_mean) * (second - second_mean) order by first, second) as products,
    fsum(p.n * ((first - first_mean) ** 2 + (second - second_mean) ** 2)
      order by first, second) as squares
  from pairs as p
  join means using (dimension_id)
  group by dimension_id
)
select
  d.experiment_id, d.dimension, z.slates, z.raters, m.n, 100 * equal / m.n as equal_pct,
  case when m.n > 2 then 2 * products
    / nullif(squares + m.n * (first_mean - second_mean) ** 2, 0) end as concordance
from sums as s
join means as m using (dimension_id)
join sizes as z using (dimension_id)
join int_dimensions as d using (dimension_id)
order by d.experiment_id, d.dimension
