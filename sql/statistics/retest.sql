-- grain: one experiment and dimension in which raters rated a slate of the same stimuli twice
-- inputs: int_population
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   slates: slates that a rater rated a second time (count)
--   raters: raters (count)
--   n: first and second scores of a rater for the same stimulus of the same slate (count)
--   equal_pct: share of equal scores (percent)
--   concordance: Lin's concordance correlation coefficient of the second with the first scores. null: fewer than three, or no variation
with
slates as (
  select
    experiment_id, dimension, rater_id, session_id, slate_id,
    min(service_rank) as service_rank,
    string_agg(stimulus, chr(10) order by stimulus) as stimuli
  from int_population
  where score is not null and stimulus is not null and rater_id is not null and slate_id is not null
  group by experiment_id, dimension, rater_id, session_id, slate_id
  having count(distinct stimulus) = count(*)
),
ordered as (
  select
    *,
    row_number() over (
      partition by experiment_id, dimension, rater_id, stimuli order by service_rank nulls last, session_id, slate_id
    ) as place
  from slates
),
scores as (
  select o.experiment_id, o.dimension, o.rater_id, o.stimuli, o.place, p.stimulus, p.score
  from ordered as o
  join int_population as p
    on p.experiment_id = o.experiment_id and p.dimension = o.dimension and p.rater_id = o.rater_id
    and p.session_id is not distinct from o.session_id and p.slate_id = o.slate_id
  where o.place <= 2 and p.score is not null
),
repeated as (
  select
    experiment_id, dimension, rater_id, stimuli, a.score as first, b.score as second
  from scores as a
  join scores as b using (experiment_id, dimension, rater_id, stimuli, stimulus)
  where a.place = 1 and b.place = 2
),
means as (
  select
    experiment_id, dimension, count(*) as n,
    count(distinct (rater_id, stimuli)) as slates,
    count(distinct rater_id) as raters,
    fsum(first order by first) / count(*) as first_mean,
    fsum(second order by second) / count(*) as second_mean
  from repeated
  group by experiment_id, dimension
),
sums as (
  select
    experiment_id, dimension,
    100 * count(*) filter (where first = second) / count(*) as equal_pct,
    fsum((first - first_mean) * (second - second_mean) order by first, second) as products,
    fsum((first - first_mean) ** 2 order by first) + fsum((second - second_mean) ** 2 order by second) as squares
  from repeated
  join means using (experiment_id, dimension)
  group by experiment_id, dimension
)
select
  experiment_id, dimension, m.slates, m.raters, m.n, s.equal_pct,
  case when m.n > 2 then 2 * products / nullif(squares + m.n * (first_mean - second_mean) ** 2, 0) end as concordance
from sums as s
join means as m using (experiment_id, dimension)
order by experiment_id, dimension
