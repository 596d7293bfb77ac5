-- grain: one item with a share of two raters or more, per metric kind, experiment, dimension and
--     source
-- inputs: key_rater_pairs, key_rater_scores, key_sources, int_dimensions, int_items
-- columns:
--   kind: percent_chosen or percent_approved
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   raters: raters; ratings without a rater count as one rater's (count)
--   effective_n: independent ratings with which the share would have the variance that it has with
--     these raters, at most as many as there are (count)
with
sides as (
  select dimension_id, job_no, rater_no, weight, item_a as item_id, wins_a as wins,
    wins_b as losses, ties
    from key_rater_pairs
  union all
  select dimension_id, job_no, rater_no, weight, item_b as item_id, wins_b as wins,
    wins_a as losses, ties
    from key_rater_pairs
),
chosen as (
  select
    s.group_id, item_id, rater_no,
    weighted_sum(wins, weight) as wins,
    weighted_sum(losses, weight) as losses,
    weighted_sum(ties, weight) as ties
  from sides
  join key_sources as s using (dimension_id, job_no)
  group by s.group_id, item_id, rater_no
),
scores as (
  select s.group_id, k.item_id, k.rater_no, k.score, k.n
  from key_rater_scores as k
  join key_sources as s using (dimension_id, job_no)
),
midpoints as (
  select group_id, min(score) / 2 + max(score) / 2 as midpoint from scores group by group_id
),
by_rater as (
  select
    'percent_chosen' as kind, group_id, item_id,
    case conventions().chosen when 'losses' then losses else wins end
      + case conventions().ties.percent_chosen when 'half' then ties / 2 else 0 end as part,
    cast(wins + losses + case conventions().ties.percent_chosen when 'exclude' then 0
      else ties end as double) as n
  from chosen
  union all
  select
    'percent_approved', group_id, item_id,
    sum(case when case conventions().approved when 'midpoint' then score >= midpoint
      else score > 0 end then n else 0 end),
    cast(sum(n) as double)
  from scores
  join midpoints using (group_id)
  group by group_id, item_id, rater_no
),
shares as (
  select
    kind, group_id, item_id, count(*) as raters, sum(n) as n, sum(part) / sum(n) as share,
    sum(part * part) as parts2, sum(part * n) as products, sum(n * n) as n2
  from by_rater
  where n > 0
  group by kind, group_id, item_id
),
-- Sums of whole and half numbers are the same in any order. The variance is that of a quotient,
-- clustered by rater.
errors as (
  select
    *, share * (1 - share) as spread,
    greatest(parts2 - 2 * share * products + share * share * n2, 0) * raters / (raters - 1)
      / (n * n) as variance
  from shares
  where raters > 1
)
select
  e.kind, d.experiment_id, d.dimension, g.source, i.item, e.raters,
  -- A share of 0 or 1 does not show how raters vary: at worst each has one opinion.
  case when spread = 0 then e.raters when variance = 0 then e.n
    else least(e.n, spread / variance) end as effective_n
from errors as e
join (select distinct group_id, dimension_id, source from key_sources) as g using (group_id)
join int_dimensions as d using (dimension_id)
left join int_items as i using (item_id)
