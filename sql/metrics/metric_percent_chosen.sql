-- grain: one item, per experiment, dimension and source
-- inputs: metric_win_loss
-- units: value in percent (or as a fraction, by convention); n counts what the share is taken of
-- nulls: value NULL where nothing is left to take a share of
with
counted as (
  select
    *,
    case conventions().ties.percent_chosen
      when 'half' then wins + ties / 2
      else cast(wins as double)
    end as chosen,
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
  conventions().percent_scale * chosen / nullif(of_n, 0) as value,
  of_n as n
from counted
order by experiment_id, dimension, source, item
