-- The slates of lists that say when they were rated.
select
  slate_no as id,
  any_value(session) as session_id,
  any_value(job) as job_id,
  any_value(rater) as rater_id,
  max(time) as date_updated,
  coalesce(bool_or(training), false) as is_training
from (select *, $slate as slate_no from taken)
group by slate_no, session
order by slate_no
