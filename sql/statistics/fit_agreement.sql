-- kernel: agreement
-- grain: in: one unit (what was judged) and rater; out: one statistic of a group
-- inputs: key_answers
-- columns:
--   group_id: twice the number of the dimension in int_dimensions; one more for the outcomes of
--     comparisons
--   statistic: number of the statistic
--   units: what was judged: items or pairs of items, each on a prompt (count)
--   raters: raters (count)
--   n: ratings, one for each rater and unit (count)
--   value: the statistic. null: see reason
--   ci_low: lower end of its 95 % interval. null: it has none
--   ci_high: upper end of its 95 % interval. null: it has none
--   rater_ci_low: lower end of the 95 % interval over raters. null: it has none
--   rater_ci_high: upper end of the 95 % interval over raters. null: it has none
--   reason: number of the reason for nulls; 0 for none
with
-- A rater who answered more than once counts with the mean score, or with whom the answers favour.
answered as (
  select
    dimension_id, answers, item_a, item_b, judged, rater_no,
    case answers when 0 then sorted_sum(value) / count(*)
      else sign(sum(value)) end as value
  from key_answers
  group by dimension_id, answers, item_a, item_b, judged, rater_no
),
units as (
  select
    *,
    cast(row_number() over (order by dimension_id, answers, item_a, item_b, judged) as integer)
      as unit
  from (select distinct dimension_id, answers, item_a, item_b, judged from answered)
)
select 2 * dimension_id + answers as group_id, unit, rater_no as rater, value
from answered
join units using (dimension_id, answers, item_a, item_b, judged)
order by group_id, unit, rater
