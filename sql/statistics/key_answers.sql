-- grain: one answer of a known rater: a score of an item, or a comparison
-- inputs: int_population, key_comparisons
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   answers: 0: scores, 1: comparisons
--   rater_no: number of the rater in int_raters
--   item_a: number of the item in int_items; of two the one that sorts first
--   item_b: number of the other item; 0 for a score
--   judged: on what: the prompt that an import states, otherwise the stimuli. A comparison without
--     either is one of its slate, a score without either one of its item
--   value: score (the experiment's scale), or 1: item_a won, -1: item_b won, 0: tie
with
scored as (
  select
    dimension_id, session_no, slate_id, rater_no, item_id, score,
    coalesce('prompt ' || prompt, 'stimulus ' || stimulus_id) as judged
  from int_population
  where score is not null and item_id is not null
),
shown as (
  select dimension_id, session_no, slate_id, item_id, min(judged) as judged
  from scored
  where slate_id is not null and judged is not null
  group by dimension_id, session_no, slate_id, item_id
)
select
  dimension_id, 0 as answers, rater_no, item_id as item_a, 0 as item_b,
  coalesce(judged, 'item') as judged, score as value
from scored
where rater_no is not null
union all
select
  c.dimension_id, 1, c.rater_no, c.item_a, c.item_b,
  coalesce(
    case when a.judged < b.judged then a.judged || ' ' || b.judged
      else b.judged || ' ' || a.judged end,
    concat('slate ', c.session_no, ' ', c.slate_id)
  ),
  cast(c.outcome as double)
from key_comparisons as c
left join shown as a
  on a.dimension_id = c.dimension_id and a.session_no is not distinct from c.session_no
    and a.slate_id = c.slate_id and a.item_id = c.item_a
left join shown as b
  on b.dimension_id = c.dimension_id and b.session_no is not distinct from c.session_no
    and b.slate_id = c.slate_id and b.item_id = c.item_b
where c.rater_no > 0
