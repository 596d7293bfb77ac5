-- grain: one experiment and dimension in which raters rated a slate of the same stimuli twice
-- inputs: key_score_counts, key_population, int_population, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   slates: slates that a rater rated a second time (count)
--   raters: raters of whom there are such slates: of more than 400,000 ratings, every second one or fewer are looked at (count)
--   n: first and second scores of a rater for the same stimulus of the same slate (count)
--   equal_pct: share of equal scores (percent)
--   concordance: Lin's concordance correlation coefficient of the second with the first scores. null: fewer than three, or no variation
with
-- Every rater up to 400,000 answers, every second up to 800,000 and so on: more do not make the numbers surer.
chosen as (
  select dimension_id, cast(ceil(sum(n) / 400000) as integer) as every
  from key_score_counts
  group by dimension_id
),
-- Without a pattern for items an item is its stimulus.
answers as (
  select dimension_id, rater_no, session_no, slate_id, hash(item_id) as stimulus, score
  from key_population
  join chosen using (dimension_id)
  where conventions().item_pattern is null and rater_no % every = 0
    and score is not null and item_id is not null and rater_no is not null and slate_id is not null
  union all
  select dimension_id, rater_no, session_no, slate_id, hash(stimulus) as stimulus, score
  from int_population
  join chosen using (dimension_id)
  where conventions().item_pattern is not null and rater_no % every = 0
    and score is not null and stimulus is not null and rater_no is not null and slate_id is not null
),
-- Different sets of stimuli have equal hashes with a chance of about 2⁻⁶⁴.
slates as (
  select
    dimension_id, rater_no, session_no, slate_id,
    count(*) as n,
    hash(sum(stimulus)) as stimuli,
    min(stimulus) as stimulus_a, min_by(score, stimulus) as score_a,
    max(stimulus) as stimulus_b, max_by(score, stimulus) as score_b
  from answers
  group by dimension_id, rater_no, session_no, slate_id
),
-- Numbers of sessions are in service order.
ordered as (
  select
    *,
    row_number() over same_stimuli as place,
    lead(score_a) over same_stimuli as next_a,
    lead(score_b) over same_stimuli as next_b,
    lead(slate_id) over same_stimuli as next_slate,
    lead(session_no) over same_stimuli as next_session
  from slates
  window same_stimuli as (
    partition by dimension_id, rater_no, stimuli, n order by session_no nulls last, slate_id
  )
),
twice as (
  select * from ordered
  where place = 1 and next_slate is not null
),
-- Slates of one or two stimuli have their scores already. A stimulus that is twice in a slate does not count.
larger as (
  select t.dimension_id, t.rater_no, t.stimuli, a.stimulus, any_value(a.score) as first, any_value(b.score) as second
  from twice as t
  join answers as a
    on a.dimension_id = t.dimension_id and a.rater_no = t.rater_no
    and a.session_no is not distinct from t.session_no and a.slate_id = t.slate_id
  join answers as b
    on b.dimension_id = t.dimension_id and b.rater_no = t.rater_no
    and b.session_no is not distinct from t.next_session and b.slate_id = t.next_slate and b.stimulus = a.stimulus
  where t.n > 2
  group by t.dimension_id, t.rater_no, t.stimuli, a.stimulus
  having count(*) = 1
),
repeated as (
  select dimension_id, rater_no, stimuli, score_a as first, next_a as second from twice
  where n = 1 or (n = 2 and stimulus_a <> stimulus_b)
  union all
  select dimension_id, rater_no, stimuli, score_b, next_b from twice
  where n = 2 and stimulus_a <> stimulus_b
  union all
  select dimension_id, rater_no, stimuli, first, second from larger
),
sizes as (
  select dimension_id, count(*) as slates, count(distinct rater_no) as raters
  from twice
  group by dimension_id
),
-- Few different pairs of scores, however many answers.
pairs as (
  select dimension_id, first, second, count(*) as n
  from repeated
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
    fsum(p.n * ((first - first_mean) ** 2 + (second - second_mean) ** 2) order by first, second) as squares
  from pairs as p
  join means using (dimension_id)
  group by dimension_id
)
select
  d.experiment_id, d.dimension, z.slates, z.raters, m.n, 100 * equal / m.n as equal_pct,
  case when m.n > 2 then 2 * products / nullif(squares + m.n * (first_mean - second_mean) ** 2, 0) end as concordance
from sums as s
join means as m using (dimension_id)
join sizes as z using (dimension_id)
join int_dimensions as d using (dimension_id)
order by d.experiment_id, d.dimension
