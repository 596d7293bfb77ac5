-- Sessions without times are complete, in the order of their names, or of the rows if stated.
select
  session as id,
  min(job) as job_id,
  $experiment as reported_experiment_id,
  coalesce(min(started), min(time)) as date_created,
  max(time) as date_updated,
  case
    when $states_completion then max(completed)
    else coalesce(max(time), max(started), timestamptz '1970-01-01 00:00:00+00')
  end as date_completed,
  case when min(rater) = max(rater) then json_object('id', min(rater))::varchar end as rater,
  case when $is_ordered then json_object('recount_place', min(n))::varchar end as _meta
from taken
group by session
order by session
