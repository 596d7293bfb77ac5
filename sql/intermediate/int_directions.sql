-- grain: one rated dimension of an experiment, with the end of its scale that is better
-- inputs: int_dimensions, int_stated_directions, int_published_ranks, key_score_counts, key_pairs,
--     int_items, stg_experiments
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   direction: higher or lower. null: unknown
--   ground: stated, votes, convention (stated in the pipeline file) or published ranks. null:
--     unknown
--   sign: factor by which the better number is the higher one; 1 if that is unknown
-- Votes are pairs of which one is chosen: the experiment's type begins with pairwise, or each
-- comparison has the scores 1 and 0, or 0.5 twice. Ranks imply a direction if Spearman's
-- correlation with the means is 0.4 at least: one exchanged pair of three leaves 0.5. The scores
-- published beside them say nothing: some boards turn the sign of the scale.
with
dimensions as (
  select *, count(*) over (partition by experiment_id) as dimensions from int_dimensions
),
statements as (
  select d.dimension_id, s.direction, s.precedence
  from int_stated_directions as s
  join dimensions as d
    on d.experiment_id = s.experiment_id
    and (d.dimension = s.dimension or (s.dimension is null and d.dimensions = 1))
),
firsts as (
  select * from statements
  qualify precedence = min(precedence) over (partition by dimension_id)
),
stated as (
  select dimension_id, min(direction) as direction
  from firsts
  group by dimension_id
  having min(direction) = max(direction)
),
scored as (
  select
    dimension_id,
    item_id,
    ordered_sum(score * n, score) / sum(n) as mean,
    count_if(score not in (0, 0.5, 1)) as others,
    sum(n) filter (where score = 1) as ones,
    sum(n) filter (where score = 0) as zeros
  from key_score_counts
  group by dimension_id, item_id
),
chosen as (
  select dimension_id
  from scored
  where dimension_id in (select dimension_id from key_pairs)
  group by dimension_id
  having sum(others) = 0 and coalesce(sum(ones), 0) = coalesce(sum(zeros), 0)
),
ranked as (
  select
    d.dimension_id,
    r.record,
    r.rank,
    rank() over (partition by r.record, d.dimension_id order by s.mean) as position
  from int_published_ranks as r
  join dimensions as d
    on d.experiment_id = r.experiment_id
    and (d.dimension = r.dimension or (r.dimension is null and d.dimensions = 1))
  join int_items as i on i.experiment_id = r.experiment_id and i.item = r.item
  join scored as s on s.dimension_id = d.dimension_id and s.item_id = i.item_id
),
correlated as (
  select dimension_id, corr(rank, position) as likeness
  from ranked
  group by dimension_id, record
),
implied as (
  select
    dimension_id,
    case when min(likeness) >= 0.4 then 'lower' when max(likeness) <= -0.4 then 'higher' end
      as direction
  from correlated
  where isfinite(likeness)
  group by dimension_id
),
decided as (
  select
    d.dimension_id,
    d.experiment_id,
    d.dimension,
    s.direction as stated,
    case when e.experiment_type like 'pairwise%' or c.dimension_id is not null
      then 'higher' end as votes,
    conventions().direction as convention,
    i.direction as implied
  from dimensions as d
  left join stated as s using (dimension_id)
  left join chosen as c using (dimension_id)
  left join implied as i using (dimension_id)
  left join stg_experiments as e using (experiment_id)
)
select
  dimension_id,
  experiment_id,
  dimension,
  coalesce(stated, votes, convention, implied) as direction,
  case
    when stated is not null then 'stated'
    when votes is not null then 'votes'
    when convention is not null then 'convention'
    when implied is not null then 'published ranks'
  end as ground,
  case when coalesce(stated, votes, convention, implied) = 'lower' then -1 else 1 end as sign
from decided
