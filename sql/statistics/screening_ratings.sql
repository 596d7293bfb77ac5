-- grain: one rating that a screening rule looks at, with whether it offends; whole experiments only
-- inputs: int_population, int_correctness
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: bs1534_reference, bs1534_anchor, bt500, p808 or training
--   rater_id: rater
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   item: item
--   stimulus: name of the stimulus, or its id as text
--   score: score (the experiment's scale). null: not scored
--   side: 1: offends upwards, -1: downwards, 0: does not offend
with
scores as (
  select experiment_id, dimension, rater_id, session_id, slate_id, item, stimulus, score
  from int_population
  where score is not null and item is not null and rater_id is not null
),
scales as (
  select experiment_id, dimension
  from scores
  group by experiment_id, dimension
  having count(distinct score) >= 5
),
moments as (
  select
    experiment_id, dimension, stimulus,
    count(*) as n,
    fsum(score order by score) / count(*) as mean
  from scores
  semi join scales using (experiment_id, dimension)
  group by experiment_id, dimension, stimulus
),
spreads as (
  select
    experiment_id, dimension, stimulus, any_value(m.n) as n, any_value(mean) as mean,
    fsum((score - mean) ** 2 order by score) as squares,
    fsum((score - mean) ** 4 order by score) as fourths
  from scores
  join moments as m using (experiment_id, dimension, stimulus)
  group by experiment_id, dimension, stimulus
),
limits as (
  select
    *,
    sqrt(squares / nullif(n - 1, 0)) * case when n * fourths / nullif(squares ** 2, 0) between 2 and 4 then 2 else sqrt(20) end as reach,
    sqrt(squares / n) as deviation
  from spreads
),
conditions as (
  select experiment_id, dimension, item, fsum(score order by score) / count(*) as mean, count(*) as n
  from scores
  semi join scales using (experiment_id, dimension)
  group by experiment_id, dimension, item
),
condition_spreads as (
  select
    experiment_id, dimension, item, any_value(mean) as mean,
    sqrt(fsum((score - mean) ** 2 order by score) / any_value(n)) as deviation
  from scores
  join conditions using (experiment_id, dimension, item)
  group by experiment_id, dimension, item
),
anchors as (
  select
    *,
    -- A test item is known by its stimulus, if an item is a part of that.
    case
      when stimulus = item then 0
      else count(*) filter (where score > 90) over (partition by experiment_id, dimension, stimulus)
        / count(*) over (partition by experiment_id, dimension, stimulus)
    end as share_above
  from scores
  where regexp_matches(item, '^(mid[a-z]*[ _-]?anchor|anchor[ _-]?(mid.*|70.*|7k.*|7000.*))$', 'i')
)
select experiment_id, dimension, 'bs1534_reference' as rule, * exclude (experiment_id, dimension),
  case when score < 90 then -1 else 0 end as side
from scores
where regexp_matches(item, '^(hidden[ _-]?)?ref(erence)?$', 'i')
union all
select experiment_id, dimension, 'bs1534_anchor', * exclude (experiment_id, dimension, share_above),
  case when score > 90 and share_above <= 0.25 then 1 else 0 end
from anchors
union all
select s.experiment_id, s.dimension, 'bt500', s.* exclude (experiment_id, dimension),
  case when l.squares = 0 or l.n < 2 then 0 when s.score >= l.mean + l.reach then 1 when s.score <= l.mean - l.reach then -1 else 0 end
from scores as s
join limits as l using (experiment_id, dimension, stimulus)
union all
select s.experiment_id, s.dimension, 'p808', s.* exclude (experiment_id, dimension),
  case
    when abs(s.score - c.mean) >= 3.29 * c.deviation and c.deviation > 0 then cast(sign(s.score - c.mean) as integer)
    when l.n > 5 and abs(s.score - l.mean) >= 3.29 * l.deviation and l.deviation > 0 then cast(sign(s.score - l.mean) as integer)
    else 0
  end
from scores as s
join condition_spreads as c using (experiment_id, dimension, item)
join limits as l using (experiment_id, dimension, stimulus)
union all
select
  experiment_id, dimension, 'training', rater_id, session_id, slate_id, item, stimulus, score,
  case when is_correct then 0 else -1 end
from int_correctness
where is_training and is_correct is not null and rater_id is not null and item is not null
