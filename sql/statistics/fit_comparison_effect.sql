-- kernel: comparison_effect
-- grain: in: one comparison that there would be if a rule left nothing out; out: one item
-- inputs: key_ledger, key_ledger_rules, int_sessions, int_dimensions, stg_slates, stg_weights
-- columns:
--   rule_no: number of the rule and dimension in key_ledger_rules
--   item_id: number of the item in int_items
--   win_loss: share of its comparisons that it won, ties half (percent)
--   elo: rating (Elo)
--   bayesian_elo: rating (Elo). null: by convention raters have a quality, or the start is warm
--   bradley_terry: log worth (natural logarithm). null: some items won or lost everything against
--     the others
with
listed as (
  select s.session_no, l.slate_id, max(l.updated_at) as updated_at
  from stg_slates as l
  join int_sessions as s using (experiment_id, session_id)
  group by s.session_no, l.slate_id
),
weights as (
  select d.dimension_id, s.session_no, w.slate_id, w.weight
  from stg_weights as w
  join int_dimensions as d using (experiment_id, dimension)
  join int_sessions as s using (experiment_id, session_id)
),
scores as (
  select
    r.rule_no, dimension_id, l.session_no, l.slate_id, l.item_id, l.score,
    count(*) over (partition by r.rule_no, l.session_no, l.slate_id) as scored
  from key_ledger_rules as r
  join key_ledger as l using (dimension_id)
  where (l.left_out_by is null or cast(l.left_out_by as varchar) in (r.rule, 'no stimulus'))
    and not l.is_left_out_twice and l.score is not null and l.slate_id is not null
)
select
  a.rule_no,
  coalesce(a.session_no, last_rank()) as session,
  a.item_id as a,
  b.item_id as b,
  cast(sign(a.score - b.score) as tinyint) as outcome,
  coalesce(w.weight, 1) as weight
from scores as a
join scores as b
  on b.rule_no = a.rule_no and b.session_no is not distinct from a.session_no
    and b.slate_id = a.slate_id
  and b.item_id > a.item_id
left join listed as t on t.session_no = a.session_no and t.slate_id = a.slate_id
left join weights as w on w.dimension_id = a.dimension_id and w.session_no = a.session_no
  and w.slate_id = a.slate_id
where a.scored = 2 or conventions().pairs = 'all'
order by a.rule_no, a.session_no nulls last, t.updated_at nulls last, a.slate_id, a, b, outcome
