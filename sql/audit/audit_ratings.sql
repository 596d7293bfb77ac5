-- stored: view
-- grain: one rating, whatever the population: what the audit's hypotheses choose from
-- inputs: int_correctness, int_sessions, stg_sessions, stg_slates
-- units: updated_ms and created_ms are milliseconds since 1970; service_rank as in int_sessions
-- nulls: score NULL where not scored; instants NULL where the slate or session is not listed
with
slates as (
  select experiment_id, session_id, slate_id, max(updated_at) as updated_at
  from stg_slates
  group by experiment_id, session_id, slate_id
),
sessions as (
  select experiment_id, session_id, max(created_at) as created_at
  from stg_sessions
  group by experiment_id, session_id
)
select
  r.experiment_id,
  r.session_id,
  r.job_id,
  r.slate_id,
  coalesce(r.rater_id, '') as rater_id,
  r.stimulus_id,
  r.stimulus,
  r.item,
  r.dimension,
  r.score,
  r.is_training,
  r.is_correct,
  ranked.service_rank,
  ranked.completed_at is not null as is_completed,
  cast(epoch_ms(sessions.created_at) as double) as created_ms,
  epoch_us(slates.updated_at) / 1000 as updated_ms
from int_correctness as r
left join int_sessions as ranked using (experiment_id, session_id)
left join sessions using (experiment_id, session_id)
left join slates using (experiment_id, session_id, slate_id)
