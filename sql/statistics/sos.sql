-- grain: one experiment and dimension with scores of items
-- inputs: key_score_counts, int_dimensions
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   items: items with two scores or more (count)
--   lowest: lowest score (the experiment's scale)
--   highest: highest score (the experiment's scale)
--   a: factor of (mean − lowest)(highest − mean) that fits the items' variances with n − 1 best.
--     null: no variation between the ends
--   a_population: the same for variances with n. null: no variation between the ends
with
scores as (
  select dimension_id, item_id, score, cast(sum(n) as bigint) as n
  from key_score_counts
  where item_id is not null
  group by dimension_id, item_id, score
),
means as (
  select
    dimension_id, item_id,
    cast(sum(n) as bigint) as items_n,
    fsum(score * n order by score) / cast(sum(n) as bigint) as mean
  from scores
  group by dimension_id, item_id
  having sum(n) > 1
),
variances as (
  select dimension_id, item_id, any_value(items_n) as n, any_value(mean) as mean,
    fsum(n * (score - mean) ** 2 order by score) as squares
  from scores
  join means using (dimension_id, item_id)
  group by dimension_id, item_id
),
ends as (
  select dimension_id, min(score) as lowest, max(score) as highest
  from scores
  group by dimension_id
),
curve as (
  select *, (mean - lowest) * (highest - mean) as parabola
  from variances
  join ends using (dimension_id)
)
select
  d.experiment_id,
  d.dimension,
  count(*) as items,
  any_value(c.lowest) as lowest,
  any_value(c.highest) as highest,
  fsum(c.parabola * c.squares / (c.n - 1) order by c.item_id)
    / nullif(fsum(c.parabola ** 2 order by c.item_id), 0) as a,
  fsum(c.parabola * c.squares / c.n order by c.item_id)
    / nullif(fsum(c.parabola ** 2 order by c.item_id), 0) as a_population
from curve as c
join int_dimensions as d using (dimension_id)
group by d.experiment_id, d.dimension
order by d.experiment_id, d.dimension
