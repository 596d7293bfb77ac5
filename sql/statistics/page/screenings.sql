with
rules as (
  select
    experiment_id,
    dimension,
    screen_of(rule) as rule,
    list(distinct clause order by clause) as clauses,
    count(distinct rater_id) as raters,
    count(distinct rater_id) filter (where excluded) as excluded,
    sum(excluded_ratings) as excluded_ratings
  from screening
  group by all
),
effects as (
  select
    experiment_id,
    dimension,
    rule,
    count_if(rank is distinct from screened_rank) as moved,
    min_by(item, (rank, item)) as first,
    min_by(item, (screened_rank, item)) as screened_first
  from screening_effect
  group by all
)
select r.*, e.moved, e.first, e.screened_first
from rules as r
join effects as e using (experiment_id, dimension, rule)
left join key_unscreened as u using (experiment_id, dimension, rule)
-- Of a rule that cannot act nothing is said.
where
  (u.reason is null or r.excluded_ratings > 0)
  and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by experiment_id, dimension, rule
