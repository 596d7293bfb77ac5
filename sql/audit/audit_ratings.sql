-- stored: view
-- grain: one rating, in the population or not: the input of the audit's hypotheses
-- inputs: int_correctness, int_sessions, stg_sessions, stg_slates, stg_weights,
--     stg_covariates, key_screened
-- columns:
--   experiment_id: experiment
--   session_id: session. null: the rating names none
--   job_id: job; '' for none
--   slate_id: slate. null: the rating names none
--   rater_id: rater; '' if unknown
--   stimulus_id: stimulus. null: not given
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   item: item. null: the rating has no stimulus
--   dimension: rated dimension; '' if the rating has none
--   score: score (the experiment's scale). null: not scored
--   is_training: whether it is a training rating
--   is_correct: the flag as the meta gives it. null: no usable flag and no usable bounds, or bounds
--     and no score
--   service_rank: position of the session in the service order, from 1. null: the rating names no
--     session
--   is_completed: whether the session is completed
--   is_screened: whether the convention screen leaves it out
--   created_ms: creation of the session (ms since 1970). null: the session is not listed
--   is_right: whether an import has it as the right one of a comparison
--   updated_ms: last update of the slate (ms since 1970). null: the slate is not listed or has none
--   weight: comparisons that a comparison of it counts as (count); 1 unless it states another
--   covariates: covariates of its comparison (JSON). null: it states none, or is not the left one
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
  x.rule is not null as is_screened,
  cast(epoch_ms(sessions.created_at) as double) as created_ms,
  coalesce(contains(r.meta, '"recount_right":true'), false) as is_right,
  epoch_us(slates.updated_at) / 1000 as updated_ms,
  coalesce(weights.weight, 1) as weight,
  lefts.covariates
from int_correctness as r
left join int_sessions as ranked using (experiment_id, session_id)
left join sessions using (experiment_id, session_id)
left join slates using (experiment_id, session_id, slate_id)
left join stg_weights as weights using (experiment_id, session_id, slate_id, dimension)
left join stg_covariates as lefts
  using (experiment_id, session_id, slate_id, dimension, stimulus)
left join key_screened as x
  on x.rule = conventions().screen
  and x.experiment_id = r.experiment_id and x.dimension = r.dimension
  and x.exclusion_key = screening_key(conventions().screen, r.rater_id, r.session_id, r.slate_id,
    r.stimulus)
