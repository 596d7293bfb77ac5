-- kernel: worth_differences
-- grain: in: one pair, rater, job and weight; out: one pair of items
-- inputs: key_rater_pairs, int_directions
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   item_1: number of the item in int_items
--   item_2: number of the other item in int_items
--   difference: item_1 minus item_2, times the direction's sign (natural logarithm)
--   std_error: standard error clustered by rater (natural logarithm). null: see reason
--   df: degrees of freedom: raters less one. null: see reason
--   p: two-sided p-value of Student's t. null: see reason
--   p_holm: the same after Holm's correction for all pairs of the class. null: see reason
--   p_bh: the same after Benjamini and Hochberg's correction for all pairs of the class. null: see
--     reason
--   half_width: half the width of the 95 % interval of the difference, by Student's t (log worths).
--     null: see reason
--   reason: number of the reason for nulls; 0 for none
-- columns fit_worth_differences_items:
--   dimension_id: number of the dimension in int_dimensions
--   item_id: number of the item in int_items
--   class: set of items with finite differences, from 0
--   value: log worth, summing to zero within a class, times the direction's sign (natural
--     logarithm)
--   rank: rank in the class; 1 is the highest value
--   rank_best: best rank in the 95 % interval. null: see reason
--   rank_worst: worst rank in the 95 % interval. null: see reason
--   p_first: two-sided p-value of the difference from the first of the class, after Holm's
--     correction for its n - 1 comparisons. null: it is the first, or see reason
--   probability_best: share of 10,000 draws from the estimates' t distribution in which the item is
--     the highest of its class. null: see reason
--   reason: number of the reason for nulls; 0 for none
select
  dimension_id,
  rater_no as rater,
  item_a as a,
  item_b as b,
  weight,
  case when sign = 1 then wins_a else wins_b end as wins_a,
  case when sign = 1 then wins_b else wins_a end as wins_b,
  ties
from key_rater_pairs
join int_directions using (dimension_id)
order by dimension_id, rater, a, b, weight
