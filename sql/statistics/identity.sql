-- grain: two raters, or two items, with the same answers; whole experiments only
-- inputs: key_rater_items, int_dimensions, int_items, int_raters
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   what: raters or items
--   first: rater or item that sorts first
--   second: the other one
--   answers: items that both raters, or raters who both items have, with the same mean score
--     (count)
--   different_scores: different scores among the answers (count)
with
answers as (
  select dimension_id, rater_no, item_id, total / n as score
  from key_rater_items
  where rater_no > 0
),
-- Equal lists have equal hashes; ten answers with three different scores are seldom equal by
-- chance.
by_rater as (
  select dimension_id, rater_no, list_sort(list((item_id, score))) as vector, count(*) as n,
    count(distinct score) as scores
  from answers
  group by dimension_id, rater_no
  having count(*) >= 10 and count(distinct score) >= 3
),
by_item as (
  select dimension_id, item_id, list_sort(list((rater_no, score))) as vector, count(*) as n,
    count(distinct score) as scores
  from answers
  group by dimension_id, item_id
  having count(*) >= 10 and count(distinct score) >= 3
),
twins as (
  select a.dimension_id, 'raters' as what, x.rater_id as first, y.rater_id as second, a.n, a.scores
  from by_rater as a
  join by_rater as b on b.dimension_id = a.dimension_id and b.vector = a.vector
    and b.rater_no > a.rater_no
  join int_raters as x on x.rater_no = a.rater_no
  join int_raters as y on y.rater_no = b.rater_no
  union all
  select a.dimension_id, 'items', x.item, y.item, a.n, a.scores
  from by_item as a
  join by_item as b on b.dimension_id = a.dimension_id and b.vector = a.vector
    and b.item_id > a.item_id
  join int_items as x on x.item_id = a.item_id
  join int_items as y on y.item_id = b.item_id
)
select d.experiment_id, d.dimension, t.what, t.first, t.second, t.n as answers,
  t.scores as different_scores
from twins as t
join int_dimensions as d using (dimension_id)
order by d.experiment_id, d.dimension, t.what, t.first, t.second
