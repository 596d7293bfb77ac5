-- stored: view
-- grain: one rating that counts under the conventions training, incomplete, incorrect and screen
-- inputs: int_judged, key_screened
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   job_id: job; '' for none
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   rater_id: rater. null: unknown
--   item: item: the key by which every metric groups. null: the rating has no stimulus
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   stimulus_id: stimulus. null: not given
--   prompt: what was judged, as an import states it. null: not stated
--   score: score (the experiment's scale). null: not scored
--   service_rank: position of the session in the service order, from 1. null: the rating names no
--     session
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the rating names none
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters. null: unknown
--   item_id: number of the item in int_items. null: the rating has no stimulus
select j.* exclude (screening_key, left_out_by)
from int_judged as j
anti join key_screened as x
  on x.rule = conventions().screen
  and x.experiment_id = j.experiment_id and x.dimension = j.dimension
    and x.exclusion_key = j.screening_key
where j.left_out_by is null
