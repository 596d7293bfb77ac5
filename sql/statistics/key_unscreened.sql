-- grain: one dimension with scores and rule of screening, and why the rule can leave nothing out
-- inputs: stg_ratings, screening_scores, screening_ratings
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: rule of screening; bs1534 is both of its rules
--   has_scale: whether it has five different scores or more
--   reason: why the rule cannot act. null: it can
with
dimensions as (
  select experiment_id, dimension, count(distinct score) >= 5 as has_scale,
    count(distinct rater_id) as raters
  from stg_ratings
  where score is not null
  group by experiment_id, dimension
),
items as (
  select experiment_id, dimension, item, count(*) as scores, max(stimulus_n) as alike
  from screening_scores
  group by experiment_id, dimension, item
),
most as (
  select experiment_id, dimension, max(scores) as scores, max(alike) as alike
  from items
  group by experiment_id, dimension
),
looked_at as (
  select distinct experiment_id, dimension, screen_of(rule) as rule
  from screening_ratings
  where rule <> 'bs1534_anchor'
)
select
  d.experiment_id, d.dimension, r.rule, d.has_scale,
  case
    when d.raters < 2 then 'fewer than two raters are known'
    when l.rule is null then case r.rule
      when 'bs1534' then 'no item is the hidden reference; state it: roles: { reference: [a] }'
      when 'training' then 'no training rating says whether it is correct'
      else 'the scores have fewer than five different values'
    end
    -- Of fewer scores none can be as far from their mean as the rule asks.
    when r.rule = 'bt500' and m.alike < 6
      then 'no stimulus has six scores, so that none can be outside its range'
    when r.rule = 'p808' and m.scores < 12
      then 'no item has twelve scores, so that none can be 3.29 standard deviations off'
  end as reason
from dimensions as d
cross join (select unnest(['bs1534', 'bt500', 'p808', 'training']) as rule) as r
left join most as m using (experiment_id, dimension)
left join looked_at as l
  on l.experiment_id = d.experiment_id and l.dimension = d.dimension and l.rule = r.rule
