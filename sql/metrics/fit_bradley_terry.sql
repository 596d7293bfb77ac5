-- kernel: bradley_terry
-- grain: in: one pair, rater, job and weight; out: one item of a group
-- inputs: key_rater_pairs, key_sources
-- columns:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   value: log worth, summing to zero within a class (natural logarithm)
--   std_error: sandwich standard error of the log worth if comparisons are independent (natural
--     logarithm). null: the item is alone in its class, is_tied, or the class is too large
--   clustered_std_error: the same if a rater's comparisons depend on each other (natural
--     logarithm). null: std_error is null, or fewer than two raters compared the item
--   rank: rank in the class; 1 is the highest
--   wins: comparisons won, ties as half, each by its weight (count)
--   n: comparisons, each by its weight (count)
--   component: set of linked items that the item belongs to, from 0
--   class: set of items with finite worths relative to each other, from 0; compare within it only
--   is_tied: whether every comparison within the class is a tie: then no error can be estimated
-- columns fit_bradley_terry_groups:
--   group_id: id of the group in int_groups
--   items: items (count)
--   raters: raters (count)
--   components: sets of items that no comparison links (count)
--   classes: classes (count)
--   iterations: iterations of the fit (count)
--   is_converged: whether the fit converged: if not, the numbers are not the fixed point
--   tie_chance: probability of a tie between equal items. null: ties count as half
--   tie_scale: exponent of the tie odds; 1 in Davidson's model. null: ties count as half
-- columns fit_bradley_terry_intervals:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   draws_tried: resamples of the group's raters (count)
--   draws_used: resamples in which every log worth is finite; the others count as infinite (count)
--   ci_low: lower end of the 95 % interval of the log worth (natural logarithm). null: the interval
--     is open on this side, no raters were resampled, or the item is_tied
--   ci_high: upper end of the 95 % interval of the log worth (natural logarithm). null: the
--     interval is open on this side, no raters were resampled, or the item is_tied
-- The kernel counts each row in every group that key_sources lists for its dimension and job. A
-- rater with several jobs or weights has
-- several rows of a pair; the kernel adds them up, which is cheaper than another grouping.
select
  dimension_id,
  job_no,
  rater_no as rater,
  item_a as a,
  item_b as b,
  weight,
  wins_a,
  wins_b,
  ties
from key_rater_pairs
order by dimension_id, rater, a, b, weight
