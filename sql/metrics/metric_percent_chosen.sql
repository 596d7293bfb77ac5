-- grain: one item, per experiment, dimension and source
-- inputs: metric_win_loss
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item
--   value: share of comparisons won, or lost by convention (percent, or a fraction by convention).
--     null: n is 0
--   n: comparisons that the share refers to (count)
with
counted as (
  select
    *,
    case conventions().ties.percent_chosen
      when 'half' then ties / 2
      else 0
    end + case conventions().chosen when 'losses' then losses else wins end as chosen,
    case conventions().ties.percent_chosen
      when 'exclude' then wins + losses
      else wins + losses + ties
    end as of_n
  from metric_win_loss
)
select
  experiment_id,
  dimension,
  source,
  item,
  conventions().percent_scale * chosen
    / nullif(of_n - case conventions().denominator when 'n-1' then 1 else 0 end, 0) as value,
  of_n as n
from counted
order by experiment_id, dimension, source, item
