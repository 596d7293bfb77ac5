-- grain: one session that the sessions list or any rating names
-- inputs: key_session_raters
-- columns:
--   experiment_id: experiment
--   session_id: session
--   completed_at: completion (instant). null: not completed or not listed
--   service_rank: position in the service order of the experiment: by completed_at, incomplete
--     last, then place of stg_sessions, then session_id, from 1
--   session_no: number of the session over all experiments, in the order of (experiment_id,
--     service_rank), from 1
-- Ranked hour by hour, so that a cluster sorts a large experiment in many tasks.
with
named as (
  select
    experiment_id,
    session_id,
    max(completed_at) as completed_at,
    min(place) as place,
    date_trunc('hour', max(completed_at)) as completed_in
  from key_session_raters
  where session_id is not null
  group by experiment_id, session_id
),
ranked as (
  select
    *,
    row_number() over (
      partition by experiment_id, completed_in
        order by completed_at nulls last, place nulls last, session_id
    ) as place_in_hour
  from named
),
hours as (
  select
    experiment_id,
    completed_in,
    sum(count(*)) over (partition by experiment_id order by completed_in nulls last)
      - count(*) as before_here,
    sum(count(*)) over (order by experiment_id, completed_in nulls last) - count(*) as before
  from named
  group by experiment_id, completed_in
)
select
  r.experiment_id,
  r.session_id,
  r.completed_at,
  cast(h.before_here + r.place_in_hour as integer) as service_rank,
  cast(h.before + r.place_in_hour as integer) as session_no
from ranked as r
join hours as h
  on h.experiment_id = r.experiment_id and h.completed_in is not distinct from r.completed_in
