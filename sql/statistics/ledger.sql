-- stored: view
-- grain: one rating: whether it counts, and the rule that leaves it out
-- inputs: key_ledger, int_dimensions, int_sessions, int_jobs, int_raters, int_items
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
--   is_compared: whether its slate is a comparison: it counts in win and loss, percent chosen, Elo
--     and Bradley-Terry
--   not_compared_by: the rule that leaves it out of those. null: it is compared
select
  d.experiment_id,
  d.dimension,
  coalesce(j.job_id, '') as job_id,
  s.session_id,
  k.slate_id,
  r.rater_id,
  coalesce(k.stimulus, i.item) as stimulus,
  i.item,
  k.score,
  k.left_out_by is null as is_counted,
  cast(k.left_out_by as varchar) as left_out_by,
  k.not_compared_by is null as is_compared,
  cast(k.not_compared_by as varchar) as not_compared_by
from key_ledger as k
join int_dimensions as d using (dimension_id)
left join int_sessions as s using (session_no)
left join int_jobs as j using (job_no)
left join int_raters as r using (rater_no)
left join int_items as i using (item_id)
