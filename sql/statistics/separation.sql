-- grain: one ranking: a class of comparable items, per experiment, dimension and estimate
-- inputs: ranking, differences
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   estimate: bradley_terry where items are compared, otherwise mean
--   direction: which end is better, higher or lower. null: unknown
--   class: set of items with finite differences, from 0
--   items: items (count)
--   neighbours: pairs of neighbours in the ranking (count)
--   separated: neighbours of the class that are separated at 5 % after Holm's correction (count).
--     null: see reason
--   first_item: the best item of the class, the highest where no direction is known
--   probability_best: probability that it has rank 1. null: see reason
--   rivals: items that Holm's test of the n - 1 comparisons with it does not separate from it at
--     5 % (count). null: see reason
--   sentence: the result in words
--   reason: why nothing is separated or not. null: it is known
with
neighbours as (
  select
    *,
    lead(item) over (
      partition by experiment_id, dimension, estimate, class order by rank, item
    ) as next_item
  from ranking
),
tested as (
  select n.*, d.is_separated
  from neighbours as n
  left join differences as d
    on d.experiment_id = n.experiment_id and d.dimension = n.dimension and d.estimate = n.estimate
    and d.item_1 = least(n.item, n.next_item) and d.item_2 = greatest(n.item, n.next_item)
),
counted as (
  select
    experiment_id, dimension, estimate, direction, class,
    count(*) as items,
    count(next_item) as neighbours,
    case when max(reason) is null then count(*) filter (where is_separated) end as separated,
    min_by(item, (rank, item)) as first_item,
    min_by(probability_best, (rank, item)) as probability_best,
    case when max(reason) is null then count(*) filter (where p_first >= 0.05) end as rivals,
    max(reason) as reason,
    case when max(max(class)) over (partition by experiment_id, dimension, estimate) > 0
      then class end as shown_class
  from tested
  group by experiment_id, dimension, estimate, direction, class
)
select
  experiment_id, dimension, estimate, direction, class, items, neighbours, separated, first_item,
  probability_best, rivals,
  case
    when reason is not null then format(
      'Nothing can be said about the differences of {}{}: {}.',
      case when items = 1 then 'this item' else format('these {} items', items) end,
      coalesce(' of class ' || shown_class, ''), reason
    )
    else format(
      '{}{} of {} neighbours are separated at 5 %, as among all pairs; {} is {}{} with '
        'probability {}, separated from {} of {} others.',
      coalesce('Within class ' || shown_class || ', ', ''), separated, neighbours, first_item,
      case when direction is null then 'highest' else 'best' end,
      case when shown_class is null then '' else ' there' end,
      case when probability_best > 0.99 then 'above 0.99'
        else format('{:.2f}', probability_best) end,
      items - 1 - rivals, items - 1
    )
  end as sentence,
  reason
from counted
order by experiment_id, dimension, estimate, class
