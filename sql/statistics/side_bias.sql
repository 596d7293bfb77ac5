-- grain: one experiment and dimension whose ratings record on which side each item was shown; whole
--     experiments only
-- inputs: key_sides, fit_side_bias, fit_side_critical_values, int_directions, int_items
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   raters: raters who decided; votes without a rater count as one rater's (count)
--   decided: comparisons that one side won, each by its weight (count)
--   left_wins: those that the left item won, each by its weight (count)
--   left_share: their share of the decided ones
--   ci_low: lower end of its 95 % interval: Wilson's, of as many independent votes as those of
--     these raters are worth, by Student's t; of fewer than two raters votes are independent
--   ci_high: upper end of its 95 % interval
--   is_biased: whether the interval leaves out a half
--   side: log odds of the left one of two equal items, by Bradley-Terry with a term for the side,
--     ties half (natural logarithm). null: it has no finite fit
--   first_item: the first item by that fit, the highest where no direction is known. null: it has
--     none, or several
--   sentence: the result in words
with
by_rater as (
  select
    dimension_id, rater_no,
    weighted_sum(wins_left, weight) as lefts,
    weighted_sum(wins_left + wins_right, weight) as n
  from key_sides
  group by dimension_id, rater_no
),
shares as (
  select
    dimension_id,
    count(*) as raters,
    sorted_sum(n) as decided,
    sorted_sum(lefts) as left_wins,
    left_wins / decided as left_share,
    sorted_sum(lefts * lefts) - 2 * left_share * sorted_sum(lefts * n)
      + left_share * left_share * sorted_sum(n * n) as squares
  from by_rater
  where n > 0
  group by dimension_id
),
worth as (
  select
    *,
    left_share * (1 - left_share) as spread,
    greatest(squares, 0) * raters / nullif(raters - 1, 0) / (decided * decided) as variance,
    case when variance > 0 then least(decided, spread / variance) else decided end as m,
    coalesce(critical, 1.959963984540054) as z,
    (left_share + z * z / (2 * m)) / (1 + z * z / m) as middle,
    sqrt(spread / m + z * z / (4 * m * m)) * z / (1 + z * z / m) as half
  from shares
  left join fit_side_critical_values on df = raters - 1
)
select
  d.experiment_id,
  d.dimension,
  w.raters,
  w.decided,
  w.left_wins,
  w.left_share,
  w.middle - w.half as ci_low,
  w.middle + w.half as ci_high,
  abs(w.middle - 0.5) > w.half as is_biased,
  f.side,
  i.item as first_item,
  format(
    '{:,} of {:,} decided votes went left: {:.1f} % ({:.1f} to {:.1f} %){}.',
    cast(w.left_wins as bigint), cast(w.decided as bigint),
    100 * w.left_share, 100 * (w.middle - w.half), 100 * (w.middle + w.half),
    case
      when not is_biased then ', no side bias found'
      when d.direction is null or i.item is null then ', a side bias'
      else ', a side bias; with a term for the side ' || i.item || ' is first'
    end
  ) as sentence
from worth as w
join fit_side_bias as f using (dimension_id)
join int_directions as d using (dimension_id)
left join int_items as i on i.item_id = f.first_id
order by d.experiment_id, d.dimension
