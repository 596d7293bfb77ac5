-- grain: one session that the sessions list or any rating names
-- inputs: key_session_raters
-- columns:
--   experiment_id: experiment
--   session_id: session
--   is_listed: whether the sessions list has it
--   completed_at: completion (instant). null: not completed or not listed
--   service_rank: position in the service order of the experiment: by completed_at, incomplete last, then place of stg_sessions, then session_id, from 1
--   session_no: number of the session over all experiments, in the order of (experiment_id, service_rank), from 1
with
named as (
  select
    experiment_id,
    session_id,
    bool_or(is_listed) as is_listed,
    max(completed_at) as completed_at,
    min(place) as place
  from key_session_raters
  where session_id is not null
  group by experiment_id, session_id
),
ranked as (
  select
    experiment_id,
    session_id,
    is_listed,
    completed_at,
    row_number() over (partition by experiment_id order by completed_at nulls last, place nulls last, session_id) as service_rank
  from named
),
preceding as (
  select experiment_id, sum(max(service_rank)) over (order by experiment_id) - max(service_rank) as sessions
  from ranked
  group by experiment_id
)
select
  experiment_id,
  session_id,
  is_listed,
  completed_at,
  cast(service_rank as integer) as service_rank,
  cast(sessions + service_rank as integer) as session_no
from ranked
join preceding using (experiment_id)
