-- stored: view
-- grain: one rating, with the first rule that leaves it out under the conventions training,
--     incomplete and incorrect
-- inputs: int_correctness, int_sessions, int_dimensions, int_jobs, int_raters, int_items,
--     int_excluded
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
--   screening_key: what the convention screen leaves out: the rater, or for p808 the rating. null:
--     unknown
--   left_out_by: the rule. null: none
with
judged as (
  select
    r.experiment_id,
    r.dimension,
    r.job_id,
    r.session_id,
    r.slate_id,
    r.rater_id,
    r.item,
    r.stimulus,
    r.stimulus_id,
    r.prompt,
    r.score,
    s.service_rank,
    d.dimension_id,
    s.session_no,
    coalesce(j.job_no, 0) as job_no,
    p.rater_no,
    i.item_id,
    screening_key(conventions().screen, r.rater_id, r.session_id, r.slate_id,
      r.stimulus) as screening_key,
    case when conventions().training = 'exclude' and r.is_training
      then 'training' end as by_training,
    case when conventions().incomplete = 'exclude' and s.completed_at is null
      then 'session not completed' end as by_session,
    case
      when conventions().incorrect = 'exclude_ratings' and r.is_correct = false
        then 'incorrect rating'
      when e.exclusion_key is not null then case conventions().incorrect
        when 'exclude_slates' then 'incorrect rating in the slate'
        when 'exclude_sessions' then 'incorrect rating in the session'
        else 'incorrect rating of the rater'
      end
    end as by_answer
  from int_correctness as r
  join int_dimensions as d using (experiment_id, dimension)
  left join int_sessions as s using (experiment_id, session_id)
  left join int_jobs as j using (experiment_id, job_id)
  left join int_raters as p using (experiment_id, rater_id)
  left join int_items as i using (experiment_id, item)
  left join int_excluded as e
    on e.experiment_id = r.experiment_id
    and e.exclusion_key = case conventions().incorrect
      when 'exclude_slates' then concat_ws('/', r.session_id, r.slate_id)
      when 'exclude_sessions' then r.session_id
      when 'exclude_raters' then r.rater_id
    end
)
select
  * exclude (by_training, by_session, by_answer),
  coalesce(by_training, by_session, by_answer) as left_out_by
from judged
