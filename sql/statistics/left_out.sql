-- grain: one vote, rater or session of a set without which the first k items are others
-- inputs: fit_pair_robustness_sets, fit_score_robustness_sets, key_votes, key_population,
--     int_dimensions, int_sessions, int_raters, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   kind: rule of the ranking, as in robustness
--   unit: what is left out: vote, rater or session
--   k: number of first items of which at least one changes
--   rater_id: rater. null: unknown, or a session
--   session_id: session. null: unknown, or a rater
--   slate_id: slate of a vote. null: not a vote
--   item_a: item of a rating, or the item of the comparison that sorts first. null: not a vote
--   item_b: the other item of the comparison. null: not a comparison
--   outcome: 1: item_a won, -1: item_b won, 0: tie. null: not a comparison
--   score: score (the experiment's scale). null: not a rating
with
pair_sets as (
  select ['bradley_terry', 'bayesian_elo', 'elo', 'percent_chosen'][rule + 1] as kind, *
  from fit_pair_robustness_sets
),
-- Of equal scores of an item, which are as good as each other, the first ones.
scores as (
  select dimension_id, k, item_id, score, count(*) as n
  from fit_score_robustness_sets
  where unit = 0
  group by dimension_id, k, item_id, score
),
scored as (
  select
    s.dimension_id, s.k, s.n, s.item_id, s.score, p.session_no, p.rater_no, p.slate_id,
    row_number() over (
      partition by s.dimension_id, s.k, s.item_id, s.score
      order by p.session_no nulls last, p.slate_id nulls last, p.rater_no nulls last
    ) as place
  from scores as s
  join key_population as p
    on p.dimension_id = s.dimension_id and p.item_id = s.item_id and p.score = s.score
),
named as (
  select
    s.dimension_id, s.kind, s.unit, s.k, v.session_no, v.rater_no, v.slate_id, v.item_a, v.item_b,
    v.outcome, null as score
  from pair_sets as s
  join key_votes as v on v.dimension_id = s.dimension_id and coalesce(v.session_no, 0) = s.left_out
    and v.place = s.place
  where s.unit = 0
  union all
  select dimension_id, 'mean', 0, k, session_no, rater_no, slate_id, item_id, null, null, score
  from scored
  where place <= n
  union all
  select
    dimension_id, kind, unit, k,
    case when unit = 2 then left_out end, case when unit = 1 then left_out end, null, null, null,
    null, null
  from (
    select dimension_id, kind, unit, k, left_out from pair_sets
    union all
    select dimension_id, 'mean', unit, k, left_out from fit_score_robustness_sets
  )
  where unit > 0
)
select
  d.experiment_id,
  d.dimension,
  n.kind,
  ['vote', 'rater', 'session'][n.unit + 1] as unit,
  n.k,
  r.rater_id,
  s.session_id,
  n.slate_id,
  a.item as item_a, b.item as item_b, n.outcome, n.score
from named as n
join int_dimensions as d using (dimension_id)
left join int_raters as r on r.rater_no = n.rater_no
left join int_sessions as s on s.session_no = n.session_no
left join int_items as a on a.item_id = n.item_a
left join int_items as b on b.item_id = n.item_b
order by d.experiment_id, d.dimension, n.kind, n.unit, n.k, n.session_no, n.slate_id, n.rater_no,
  n.item_a, n.item_b, n.score
