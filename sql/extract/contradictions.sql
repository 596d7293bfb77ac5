-- How many sessions, jobs and sources the rows of an experiment name that its own lists lack.
-- What begins with a dollar is one of its tables, or its identifier.
with
  named_sessions as (
    select session_id as id from $ratings
    union all
    select session_id from $slates
  ),
  named_jobs as (
    select job_id as id from $ratings
    union all
    select job_id from $slates
    union all
    select job_id from $sessions
  ),
  named_sources as (select trim(unnest(string_split(source, ','))) as id from $results)
select
  (
    select count(distinct id)
    from named_sessions
    where id <> '' and id not in (select id from $sessions where id is not null)
  ) as session,
  (
    select count(distinct id)
    from named_jobs
    where id <> '' and id not in (select id from $jobs where id is not null)
  ) as job,
  (
    select count(distinct id)
    from named_sources
    where id not in ('', $experiment) and id not in (select id from $jobs where id is not null)
  ) as source
