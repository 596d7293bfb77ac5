-- The ratings of all lists, as the lake has them.
with
  flagged as (
    select
      *,
      $slate as slate_no,
      coalesce(
        meta, case when correct is not null then '{"isCorrect":' || correct || '}' end
      ) as flags,
      json_object(
        'recount_weight', weight, 'recount_covariates', covariates, 'recount_prompt', prompt
      ) as facts
    from taken
  )

select
  score,
  rater as rater_id,
  slate_no as slate_id,
  session as session_id,
  job as job_id,
  "itemId" as stimulus_id,
  item as stimulus,
  coalesce(dimension, '') as dimension,
  coalesce(training, false) as is_training,
  case
    when is_right and flags is null then '{"recount_right":true}'
    when is_right then json_merge_patch(flags::json, '{"recount_right":true}')::varchar
    else flags
  end as meta,
  correct as is_correct,
  case
    when coalesce(weight::varchar, covariates::varchar, prompt) is not null
      -- Takes out what is null.
      then json_merge_patch('{}', facts)::varchar
  end as _meta
from flagged
$order
