-- grain: one ordered pair of items that a rater compared, per dimension and weight; only of
--     dimensions whose ratings record sides: some pair was shown both ways round, and each side won
-- inputs: int_correctness, int_dimensions, int_items, int_sessions, key_comparisons, int_directions
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   rater_no: number of the rater in int_raters; 0 if unknown
--   left_id: number in int_items of the left item
--   right_id: number in int_items of the right item
--   weight: comparisons that each of these comparisons counts as (count)
--   wins_left: comparisons that the left item won, whatever their weight (count)
--   wins_right: comparisons that the right item won, whatever their weight (count)
--   ties: tied comparisons, whatever their weight (count)
-- Of files that name the winner first, or sort the items of a pair, columns are no sides.
with
rights as (
  select d.dimension_id, s.session_no, r.slate_id, min(i.item_id) as item_id
  from int_correctness as r
  join int_dimensions as d using (experiment_id, dimension)
  join int_items as i using (experiment_id, item)
  left join int_sessions as s using (experiment_id, session_id)
  where contains(r.meta, '"recount_right":true')
  group by d.dimension_id, s.session_no, r.slate_id
  having count(*) = 1
),
shown as (
  select
    c.dimension_id, c.rater_no, c.weight, r.item_id as right_id,
    case when r.item_id = c.item_a then c.item_b else c.item_a end as left_id,
    case when r.item_id = c.item_a then -c.outcome else c.outcome end * d.sign as outcome
  from key_comparisons as c
  join rights as r
    on r.dimension_id = c.dimension_id and r.session_no is not distinct from c.session_no
    and r.slate_id = c.slate_id and r.item_id in (c.item_a, c.item_b)
  join int_directions as d on d.dimension_id = c.dimension_id
),
counted as (
  select
    dimension_id, rater_no, left_id, right_id, weight,
    cast(count(*) filter (where outcome = 1) as integer) as wins_left,
    cast(count(*) filter (where outcome = -1) as integer) as wins_right,
    cast(count(*) filter (where outcome = 0) as integer) as ties
  from shown
  group by dimension_id, rater_no, left_id, right_id, weight
)
select *
from counted
where
  dimension_id in (
    select a.dimension_id
    from counted as a
    join counted as b
      on b.dimension_id = a.dimension_id and b.left_id = a.right_id and b.right_id = a.left_id
  )
  and dimension_id in (
    select dimension_id
    from counted
    group by dimension_id
    having sum(wins_left) > 0 and sum(wins_right) > 0
  )
