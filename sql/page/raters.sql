with
speeds as (
  select experiment_id, coalesce(rater_id, '') as rater_id, median(seconds) as seconds
  from time_per_slate
  where
    position > 1 and session_id is not null and seconds is not null
    and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
  group by experiment_id, coalesce(rater_id, '')
)
select
  experiment_id,
  rater_id,
  sum(ratings) as ratings,
  sum(comparisons) as comparisons,
  100 * sum(cast(round(agreement_pct * comparable / 100) as bigint))
    / nullif(sum(comparable), 0) as agreement,
  100 * sum(correct) / nullif(sum(correct) + sum(incorrect), 0) as correct,
  any_value(seconds) as seconds
from metric_raters
left join speeds using (experiment_id, rater_id)
where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
group by experiment_id, rater_id
order by experiment_id, agreement nulls last, correct nulls last, rater_id
