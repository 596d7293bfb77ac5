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
--   triples: triples of which every pair was compared (count). null: more than 100 items
--   weak_violations: triples that violate weak transitivity (count). null: more than 100 items
--   moderate_violations: triples that violate moderate transitivity (count). null: more than 100
--     items
--   strong_violations: triples that violate strong transitivity (count). null: more than 100 items
--   circular_triads: circular triads of the majorities (count). null: see triads_reason
--   zeta: Kendall's coefficient of consistence. null: circular_triads is null
--   triads_reason: number of the reason for no circular triads; 0 for none
--   reason: number of the reason for nulls; 0 for none
-- columns fit_pair_fit_pairs:
--   dimension_id: number of the dimension in int_dimensions
--   item_1: number of the item in int_items
--   item_2: number of the other item in int_items
--   n: comparisons (count)
--   share: share that item_1 won, ties half
--   expected: share that the worths predict. null: there is no fit
--   residual: their difference in standard errors. null: there is no fit
select
  dimension_id,
  item_a as a,
  item_b as b,
  cast(sum(wins_a) as double) as wins_a,
  cast(sum(wins_b) as double) as wins_b,
  cast(sum(ties) as double) as ties
from key_pairs
group by dimension_id, item_a, item_b
order by dimension_id, a, b
