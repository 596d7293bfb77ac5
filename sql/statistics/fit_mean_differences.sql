-- kernel: mean_differences
-- grain: in: one rater and item, but the hidden reference; out: one pair of items
-- inputs: key_rater_items, key_pairs, int_directions, int_roles
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   item_1: number of the item in int_items
--   item_2: number of the other item in int_items
--   difference: item_1 minus item_2, times the direction's sign (the experiment's scale)
--   std_error: standard error clustered by rater (the experiment's scale). null: see reason
--   df: degrees of freedom: raters less one. null: see reason
--   p: two-sided p-value of Student's t. null: see reason
--   p_holm: the same after Holm's correction for all pairs of the class. null: see reason
--   p_bh: the same after Benjamini and Hochberg's correction for all pairs of the class. null: see
--     reason
--   half_width: half the width of the 95 % interval of the difference, by Student's t (the
--     experiment's scale). null: see reason
--   reason: number of the reason for nulls; 0 for none
-- columns fit_mean_differences_items:
--   dimension_id: number of the dimension in int_dimensions
--   item_id: number of the item in int_items
--   class: set of items with finite differences, from 0
--   value: mean score, times the direction's sign (the experiment's scale)
--   rank: rank in the class; 1 is the highest value
--   rank_best: best rank in the 95 % interval. null: see reason
--   rank_worst: worst rank in the 95 % interval. null: see reason
--   p_first: two-sided p-value of the difference from the first of the class, after Holm's
--     correction for its n - 1 comparisons. null: it is the first, or see reason
--   probability_best: share of 10,000 draws from the estimates' t distribution in which the item is
--     the highest of its class. null: see reason
--   reason: number of the reason for nulls; 0 for none
select
  dimension_id, rater_no as rater, item_id as item, cast(n as double) as n, sign * total as sum
from key_rater_items
join int_directions using (dimension_id)
anti join (select item_id from int_roles where role = 'reference') using (item_id)
where dimension_id not in (select dimension_id from key_pairs)
order by dimension_id, rater, item
