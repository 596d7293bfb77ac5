-- kernel: score_robustness
-- grain: in: one scored rating, but of the hidden reference; out: one unit and k
-- inputs: key_population, key_pairs, int_directions, int_roles
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   class: set of items with finite differences, from 0
--   unit: 0: vote, 1: rater, 2: session
--   k: the first k items must be others
--   units: votes, raters or sessions (count)
--   at_most: units without which the first k are others (count). null: see reason
--   is_exact: whether no smaller set exists. null: see reason
--   leaving: number of an item that leaves the first k. null: see reason
--   entering: number of an item that enters. null: see reason
--   reason: number of the reason for nulls; 0 for none
select
  dimension_id,
  coalesce(rater_no, 0) as rater,
  coalesce(session_no, 0) as session,
  item_id as item,
  sign * score as score
from key_population
join int_directions using (dimension_id)
anti join (select item_id from int_roles where role = 'reference') using (item_id)
where score is not null and item_id is not null
  and dimension_id not in (select dimension_id from key_pairs)
order by dimension_id
