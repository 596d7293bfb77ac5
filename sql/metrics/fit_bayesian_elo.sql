-- kernel: bayesian_elo
-- grain: in: one pair and weight (and rater or session, where the convention needs them); out: one
--     item of a group
-- inputs: key_pairs, key_comparisons, key_sources
-- columns:
--   group_id: id of the group in int_groups
--   item_id: id of the item in int_items
--   value: rating at the mode of the posterior (Elo)
--   wins: comparisons won, ties as half; weighted by rater quality where the convention has it
--     (count)
--   n: comparisons, each by its weight (count)
--   p005: 0.5 % quantile of the rating (Elo)
--   p025: 2.5 % quantile of the rating (Elo)
--   p05: 5 % quantile of the rating (Elo)
--   p50: 50 % quantile of the rating (Elo)
--   p95: 95 % quantile of the rating (Elo)
--   p975: 97.5 % quantile of the rating (Elo)
--   p995: 99.5 % quantile of the rating (Elo)
--   component: set of linked items that the item belongs to, from 0
-- columns fit_bayesian_elo_groups:
--   group_id: id of the group in int_groups
--   items: items (count)
--   components: sets of items that no comparison links (count)
--   iterations: iterations of the fit (count)
--   is_converged: whether the fit converged: if not, the numbers are not the fixed point
--   max_change_elo: largest change of an item in the last iteration (Elo)
--   tie_chance: probability of a tie between equal items. null: ties have no parameter of their own
-- columns fit_bayesian_elo_raters:
--   group_id: id of the group in int_groups
--   rater_no: id of the rater in int_raters
--   quality: probability that the rater's preference is genuine
with
counted as (
  -- By default no comparison need be read again.
  select dimension_id, job_no, 0 as session, 0 as rater, item_a, item_b, weight,
    wins_a, wins_b, ties
  from key_pairs
  where conventions().bayesian_elo.start <> 'warm'
    and conventions().bayesian_elo.rater_quality is null
  union all
  select
    dimension_id, job_no,
    case when conventions().bayesian_elo.start = 'warm' then coalesce(session_no, last_rank())
      else 0 end as session,
    case when conventions().bayesian_elo.rater_quality is not null then rater_no
      else 0 end as rater,
    item_a, item_b, weight,
    count(*) filter (where outcome = 1) as wins_a,
    count(*) filter (where outcome = -1) as wins_b,
    count(*) filter (where outcome = 0) as ties
  from key_comparisons
  where conventions().bayesian_elo.start = 'warm'
    or conventions().bayesian_elo.rater_quality is not null
  group by dimension_id, job_no, session, rater, item_a, item_b, weight
)
select
  s.group_id,
  c.session,
  c.rater,
  c.item_a as a,
  c.item_b as b,
  sum(c.wins_a) * c.weight as wins_a,
  sum(c.wins_b) * c.weight as wins_b,
  sum(c.ties) * c.weight as ties
from counted as c
join key_sources as s using (dimension_id, job_no)
group by s.group_id, c.session, c.rater, c.item_a, c.item_b, c.weight
order by s.group_id, c.session, c.rater, a, b, c.weight
