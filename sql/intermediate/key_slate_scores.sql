-- grain: one score of a slate with more than two; empty unless all pairs are compared by convention
-- inputs: key_slates, int_population
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the rating names none
--   slate_id: slate
--   item_id: number of the item in int_items. null: the rating has no stimulus
--   score: score (the experiment's scale)
select p.dimension_id, p.session_no, p.slate_id, p.item_id, p.score
from int_population as p
join key_slates as s
  on s.dimension_id = p.dimension_id and s.session_no is not distinct from p.session_no
    and s.slate_id = p.slate_id
where conventions().pairs = 'all' and s.scored > 2 and p.score is not null
