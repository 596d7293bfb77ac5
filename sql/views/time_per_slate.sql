-- stored: view
-- grain: one slate as the service listed it
-- inputs: stg_experiments, stg_sessions, stg_slates
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   session_id: session. null: not given
--   rater_id: rater. null: not given
--   slate_id: slate
--   is_training: whether it is a training slate
--   position: position in the session by last update, from 1
--   seconds: time since the slate before it, or since the session was created (seconds). null: an
--     instant is missing
with
started as (
  select experiment_id, session_id, min(created_at) as created_at
  from stg_sessions
  group by experiment_id, session_id
),
ordered as (
  select *, row_number() over answered as position, lag(updated_at) over answered as before_at
  from stg_slates
  window answered as (partition by experiment_id, session_id
    order by updated_at nulls last, slate_id)
)
select
  o.experiment_id,
  e.experiment_name,
  o.session_id,
  o.rater_id,
  o.slate_id,
  o.is_training,
  o.position,
  (epoch_ms(o.updated_at) - epoch_ms(case o.position when 1 then s.created_at else o.before_at end))
    / 1000 as seconds
from ordered as o
left join started as s on s.experiment_id = o.experiment_id and s.session_id = o.session_id
left join stg_experiments as e on e.experiment_id = o.experiment_id
