-- kernel: pair_fit
-- grain: in: one pair of items; out: one dimension
-- inputs: key_pairs
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   items: items (count)
--   pairs: compared pairs (count)
--   deviance: deviance of Bradley-Terry. null: see reason
--   df: pairs less items plus one. null: see reason
--   p_bootstrap: share of drawn studies with as large a deviance. null: see reason, or df is 0
--   reason: number of the reason for nulls; 0 for none
select
  dimension_id,
  0 as rater,
  item_a as a,
  item_b as b,
  cast(sum(wins_a) as double) as wins_a,
  cast(sum(wins_b) as double) as wins_b,
  cast(sum(ties) as double) as ties
from key_pairs
group by dimension_id, item_a, item_b
order by dimension_id, a, b
