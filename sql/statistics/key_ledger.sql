-- grain: one rating by number: the rule that leaves it out
-- inputs: int_judged, key_screened, key_slates
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   session_no: number of the session in int_sessions. null: the rating names none
--   slate_id: slate. null: the rating names none
--   job_no: number of the job in int_jobs; 0 for none
--   rater_no: number of the rater in int_raters. null: unknown
--   item_id: number of the item in int_items. null: the rating has no stimulus
--   stimulus: name of the stimulus. null: the item's
--   score: score (the experiment's scale). null: not scored
--   left_out_by: the first rule that leaves it out of means, dispersions and shares of approval.
--     null: it counts
--   not_compared_by: the rule that leaves it out of comparisons. null: it is compared
-- As values of an enumeration, reasons are sorted and compressed like numbers.
with
judged as (
  select j.*, coalesce(j.left_out_by, 'screening by ' || x.rule) as outside
  from int_judged as j
  left join key_screened as x
    on x.rule = conventions().screen
    and x.experiment_id = j.experiment_id and x.dimension = j.dimension
      and x.exclusion_key = j.screening_key
),
reasons as (
  select
    j.* exclude (left_out_by),
    coalesce(j.outside, case when j.score is null then 'no score' when j.item is null
      then 'no stimulus' end) as left_out_by,
    coalesce(
      j.outside,
      case when j.score is null then 'no score' when j.slate_id is null then 'no slate' end,
      cast(k.skip_reason as varchar)
    ) as not_compared_by
  from judged as j
  left join (select * from key_slates where skip_reason is not null) as k
    on k.dimension_id = j.dimension_id and k.session_no is not distinct from j.session_no
      and k.slate_id = j.slate_id
)
select
  dimension_id, session_no, slate_id, job_no, rater_no, item_id,
  case when stimulus <> item then stimulus end as stimulus,
  score, left_out_by, not_compared_by
from reasons
