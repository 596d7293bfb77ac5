-- grain: one rating: whether it counts, and the rule that leaves it out
-- inputs: int_correctness, int_sessions, int_dimensions, int_excluded, key_slates
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   job_id: job; '' for none
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   rater_id: rater. null: unknown
--   stimulus: name of the stimulus, or its id as text. null: neither is given
--   item: item. null: the rating has no stimulus
--   score: score (the experiment's scale). null: not scored
--   is_counted: whether it counts in means, dispersions and shares of approval
--   left_out_by: the first rule that leaves it out of those. null: it counts
--   is_compared: whether its slate is a comparison: it counts in win and loss, percent chosen, Elo and Bradley-Terry
--   not_compared_by: the rule that leaves it out of those. null: it is compared
with
judged as (
  select
    r.*,
    d.dimension_id,
    s.session_no,
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
  left join int_excluded as e
    on e.experiment_id = r.experiment_id
    and e.exclusion_key = case conventions().incorrect
      when 'exclude_slates' then concat_ws('/', r.session_id, r.slate_id)
      when 'exclude_sessions' then r.session_id
      when 'exclude_raters' then r.rater_id
    end
),
named as (
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
  j.experiment_id,
  j.dimension,
  j.job_id,
  j.session_id,
  j.slate_id,
  j.rater_id,
  j.stimulus,
  j.item,
  j.score,
  j.left_out_by is null as is_counted,
  j.left_out_by,
  j.not_compared_by is null as is_compared,
  j.not_compared_by
from named as j
