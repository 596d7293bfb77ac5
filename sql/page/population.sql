with
ratings as (
  select
    experiment_id,
    count(*) as ratings,
    count_if(is_training) as training,
    count_if(not coalesce(is_completed, false)) as incomplete,
    count(distinct stimulus) as stimuli,
    count(distinct nullif(rater_id, '')) as raters
  from audit_ratings
  group by experiment_id
),
sessions as (
  select
    experiment_id,
    -- A study without times has its sessions at the epoch.
    strftime(min(created_at) filter (where epoch(created_at) > 0), '%Y-%m-%d') as first_day,
    strftime(
      max(coalesce(completed_at, created_at)) filter (where epoch(created_at) > 0), '%Y-%m-%d'
    ) as last_day
  from stg_sessions
  group by experiment_id
),
used as (
  select experiment_id, count(score) as counted from int_population group by experiment_id
)
select
  experiment_id,
  coalesce(ratings, 0) as ratings,
  coalesce(counted, 0) as counted,
  coalesce(training, 0) as training,
  coalesce(incomplete, 0) as incomplete,
  coalesce(raters, 0) as raters,
  coalesce(stimuli, 0) as stimuli,
  coalesce(first_day, '') as first_day,
  coalesce(last_day, '') as last_day
from (select unnest(from_json($ids, '["VARCHAR"]')) as experiment_id)
left join ratings using (experiment_id)
left join sessions using (experiment_id)
left join used using (experiment_id)
