-- kernel: bradley_terry
-- grain: in: one pair and rater; out: one item of a group
-- inputs: int_source_comparisons, int_groups, int_items, int_raters
-- units: comparisons; out: log worths (natural logarithm) that sum to zero within a class
-- nulls: out: NULL where a number does not exist
select
  g.group_id,
  r.rater_no as rater,
  a.item_id as a,
  b.item_id as b,
  cast(count(*) filter (where c.outcome = 1) as double) as wins_a,
  cast(count(*) filter (where c.outcome = -1) as double) as wins_b,
  cast(count(*) filter (where c.outcome = 0) as double) as ties
from int_source_comparisons as c
join int_groups as g using (experiment_id, dimension, source)
join int_items as a on a.experiment_id = c.experiment_id and a.item = c.item_a
join int_items as b on b.experiment_id = c.experiment_id and b.item = c.item_b
join int_raters as r on r.experiment_id = c.experiment_id and r.rater_id = coalesce(c.rater_id, '')
group by g.group_id, r.rater_no, a.item_id, b.item_id
order by g.group_id, r.rater_no, a.item_id, b.item_id
