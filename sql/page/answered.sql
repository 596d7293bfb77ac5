with answered as (
  select experiment_id, session_id, count(distinct slate_id) as slates
  from stg_ratings
  where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
  group by experiment_id, session_id
)
select
  experiment_id,
  coalesce(a.slates, 0) as slates,
  count(*) as sessions,
  count_if(s.is_completed) as completed
from stg_sessions as s
left join answered as a using (experiment_id, session_id)
where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
group by all
order by all
