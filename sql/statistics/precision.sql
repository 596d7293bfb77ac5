-- grain: two neighbours of a ranking, per experiment, dimension and estimate
-- inputs: ranking, differences, key_pairs, key_rater_items, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   estimate: what is compared: bradley_terry or mean
--   class: set of items with finite differences, from 0
--   place: place of the upper item in the ranking, from 1; of equal values the item that sorts
--     first is above
--   item: upper item
--   next_item: item below it
--   difference: item minus next_item (log worths or the experiment's scale)
--   half_width: half the width of its 95 % interval, by Student's t (log worths or the experiment's
--     scale). null: see reason
--   votes: comparisons, or scores, of the dimension (count)
--   raters: raters behind the difference (count). null: see reason
--   votes_needed: such votes with which the pair by itself is separated at 5 % with a probability
--     of 80 %, as a multiple of two digits (count). null: see reason
--   raters_needed: raters who give them (count). null: see reason
--   is_next: whether it needs the fewest of the pairs of the dimension and estimate that need more
--     votes than there are
--   sentence: result in words
--   reason: why no number of votes is given. null: one is
with
neighbours as (
  select
    *,
    row_number() over (within_class) as place,
    lead(item) over (within_class) as next_item,
    value - lead(value) over (within_class) as difference,
    rank = lead(rank) over (within_class) as is_tied,
    case when max(class) over (partition by experiment_id, dimension, estimate) = 0 then ''
      else ' of class ' || class end as of_class
  from ranking
  window within_class as (partition by experiment_id, dimension, estimate, class
    order by rank, item)
),
votes as (
  select 'bradley_terry' as estimate, dimension_id, sum(wins_a + wins_b + ties) as votes
    from key_pairs group by dimension_id
  union all
  select 'mean', dimension_id, sum(n) from key_rater_items group by dimension_id
),
counted as (
  select n.*, cast(v.votes as bigint) as votes, t.df + 1 as raters, t.half_width,
    t.raters_needed / raters as times,
    case
      when t.std_error is null then coalesce(t.reason, n.reason)
      when n.is_tied then 'equal values'
      when raters < 5 then 'fewer than five raters'
      when t.raters_needed is null then 'more than 100 times as many votes'
    end as why
  from neighbours as n
  join int_dimensions as d using (experiment_id, dimension)
  join votes as v using (estimate, dimension_id)
  left join differences as t
    on t.experiment_id = n.experiment_id and t.dimension = n.dimension and t.estimate = n.estimate
    and t.item_1 = least(n.item, n.next_item) and t.item_2 = greatest(n.item, n.next_item)
  where n.next_item is not null
),
rounded as (
  select *, 10 ** (floor(log10(times)) - 1) as step,
    case when why is null then step * ceil(times / step) end as factor
  from counted
),
needed as (
  select *, cast(ceil(round(factor * votes, 6)) as bigint) as votes_needed,
    cast(ceil(round(factor * raters, 6)) as bigint) as raters_needed
  from rounded
)
select
  experiment_id, dimension, estimate, class, place, item, next_item, difference, half_width,
  votes, cast(raters as bigint) as raters, votes_needed, raters_needed,
  coalesce(times > 1 and row_number() over (
    partition by experiment_id, dimension, estimate, times > 1 order by times, class, place
  ) = 1, false) as is_next,
  case
    when why is not null
      then format('How many votes separate places {} and {}{} ({}, {}) is unknown: {}.', place,
        place + 1, of_class, item, next_item, why)
    else format(
      'About {:,} votes from {:,} raters would separate places {} and {}{} ({}, {}) '
        || 'with power 0.8; there are {:,} from {:,} so far.',
      votes_needed, raters_needed, place, place + 1, of_class, item, next_item, votes,
      cast(raters as bigint)
    )
  end as sentence,
  why as reason
from needed
order by experiment_id, dimension, estimate, class, place
