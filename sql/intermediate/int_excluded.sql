-- grain: one slate, session or rater with an incorrect rating; empty unless the convention excludes
--     those
-- inputs: int_correctness
-- columns:
--   experiment_id: experiment
--   exclusion_key: session/slate, session or rater, whichever the convention excludes. null: the
--     rating names none
select distinct
  experiment_id,
  case conventions().incorrect
    when 'exclude_slates' then concat_ws('/', session_id, slate_id)
    when 'exclude_sessions' then session_id
    else rater_id
  end as exclusion_key
from int_correctness
where conventions().incorrect in ('exclude_slates', 'exclude_sessions', 'exclude_raters')
  and is_correct = false
