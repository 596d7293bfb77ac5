-- kernel: side_bias
-- grain: in: one ordered pair; out: one dimension whose ratings record sides
-- inputs: key_sides
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   side: log odds of the left one of two equal items (natural logarithm). null: no finite fit
--   first_id: number in int_items of the first item beside that term. null: no finite fit, or
--     several are first
select
  dimension_id,
  0 as rater,
  left_id as a,
  right_id as b,
  cast(weighted_sum(wins_left, weight) as double) as wins_a,
  cast(weighted_sum(wins_right, weight) as double) as wins_b,
  cast(weighted_sum(ties, weight) as double) as ties
from key_sides
group by dimension_id, left_id, right_id
order by dimension_id, a, b
