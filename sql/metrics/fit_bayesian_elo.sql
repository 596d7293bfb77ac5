-- kernel: bayesian_elo
-- grain: in: one pair (and rater or session, where the convention needs them); out: one item of a group
-- inputs: int_source_comparisons, int_groups, int_items, int_raters
-- units: comparisons; out: values and interval ends in Elo
-- nulls: none
select
  g.group_id,
  case when conventions().bayesian_elo.start = 'warm' then coalesce(c.service_rank, last_rank()) else 0 end
    as session,
  case when conventions().bayesian_elo.rater_quality is not null then r.rater_no else 0 end as rater,
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
group by g.group_id, session, rater, a.item_id, b.item_id
order by group_id, session, rater, a, b
