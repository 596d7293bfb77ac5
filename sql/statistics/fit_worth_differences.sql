-- kernel: worth_differences
-- grain: in: one pair, rater, job and weight; out: one pair of items
-- inputs: key_rater_pairs
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   item_1: number of the item in int_items
--   item_2: number of the other item in int_items
--   difference: item_1 minus item_2 (natural logarithm)
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
--   value: log worth, summing to zero within a class (natural logarithm)
--   rank: rank in the class; 1 is the highest
--   rank_best: best rank in the simultaneous 95 % interval. null: see reason
--   rank_worst: worst rank in the simultaneous 95 % interval. null: see reason
--   probability_best: share of 10,000 draws from the estimates' t distribution in which the item is
--     the highest of its class. null: see reason
--   reason: number of the reason for nulls; 0 for none
select
  dimension_id,
  rater_no as rater,
  item_a as a,
  item_b as b,
  weight,
  wins_a,
  wins_b,
  ties
from key_rater_pairs
order by dimension_id, rater, a, b, weight
