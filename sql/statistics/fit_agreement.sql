-- kernel: agreement
-- grain: in: one unit (an item, or a pair of items) and rater; out: one statistic of a group
-- inputs: key_rater_items, key_rater_pairs
-- columns:
--   group_id: twice the number of the dimension in int_dimensions; one more for the outcomes of
--     pairs
--   statistic: number of the statistic
--   units: items, or pairs of items (count)
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
scores as (
  select 2 * dimension_id as group_id, item_id as unit, rater_no as rater, total / n as value
  from key_rater_items
  where rater_no > 0
),
votes as (
  select
    dimension_id, rater_no, item_a, item_b, cast(sum(wins_a) - sum(wins_b) as bigint) as balance
  from key_rater_pairs
  where rater_no > 0
  group by dimension_id, rater_no, item_a, item_b
),
pairs as (
  select *, cast(row_number() over (order by dimension_id, item_a, item_b) as integer) as unit
  from (select distinct dimension_id, item_a, item_b from votes)
)
select group_id, unit, rater, cast(value as double) as value
from scores
union all
select 2 * dimension_id + 1, unit, rater_no, cast(sign(balance) as double)
from votes
join pairs using (dimension_id, item_a, item_b)
order by group_id, unit, rater
