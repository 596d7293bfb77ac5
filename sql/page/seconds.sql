select
  experiment_id,
  quantile_cont(seconds, 0.1) as low,
  median(seconds) as median,
  quantile_cont(seconds, 0.9) as high
from time_per_slate
where
  position > 1 and session_id is not null and seconds is not null
  and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
group by experiment_id
