-- grain: one rating by number: the rule that leaves it out
-- inputs: int_correctness, int_sessions, int_dimensions, int_jobs, int_raters, int_items, int_excluded, key_slates
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the rating names none
--   slate_id: slate. null: the rating names none
--   job_no: number of the job in int_jobs. null: the rating names none
--   rater_no: number of the rater in int_raters. null: unknown
--   item_id: number of the item in int_items. null: the rating has no stimulus
--   stimulus: name of the stimulus. null: the item's
--   score: score (the experiment's scale). null: not scored
--   left_out_by: the first rule that leaves it out of means, dispersions and shares of approval. null: it counts
--   not_compared_by: the rule that leaves it out of comparisons. null: it is compared
-- As values of an enumeration, reasons are sorted and compressed like numbers.
with
judged as (
  select
    r.*,
    d.dimension_id,
    s.session_no,
    j.job_no,
    p.rater_no,
    i.item_id,
    case
      when conventions().training = 'exclude' and r.is_training then 'training'
      when conventions().incomplete = 'exclude' and s.completed_at is null then 'session not completed'
      when conventions().incorrect = 'exclude_ratings' and r.is_correct = false then 'incorrect rating'
      when e.exclusion_key is not null then case conventions().incorrect
        when 'exclude_slates' then 'incorrect rating in the slate'
        when 'exclude_sessions' then 'incorrect rating in the session'
        else 'incorrect rating of the rater'
      end
    end as outside
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
),
reasons as (
  select
    j.*,
    coalesce(j.outside, case when j.score is null then 'no score' when j.item is null then 'no stimulus' end) as left_out_by,
    coalesce(
      j.outside,
      case when j.score is null then 'no score' when j.slate_id is null then 'no slate' end,
      cast(k.skip_reason as varchar)
    ) as not_compared_by
  from judged as j
  left join key_slates as k
    on k.dimension_id = j.dimension_id and k.session_no is not distinct from j.session_no and k.slate_id = j.slate_id
)
select
  dimension_id, session_no, slate_id, job_no, rater_no, item_id,
  case when stimulus <> item then stimulus end as stimulus,
  score, left_out_by, not_compared_by
from reasons
