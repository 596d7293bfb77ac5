-- kernel: elo_history
-- grain: in: one comparison of a whole experiment in service order; out: one item that a session compared
-- inputs: key_comparisons, key_sources
-- columns:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   session: session_no of the session in int_sessions; the highest integer for comparisons without one
--   value: rating after the session (Elo)
--   comparisons: updates of the rating until then (count)
select
  s.group_id,
  c.item_a as a,
  c.item_b as b,
  c.outcome,
  coalesce(c.session_no, last_rank()) as session
from key_comparisons as c
join key_sources as s using (dimension_id, job_no)
where s.source = ''
order by s.group_id, c.session_no nulls last, c.updated_at nulls last, c.slate_id, a, b, c.outcome
