-- stored: view
-- grain: one comparison that counts under the conventions
-- inputs: stg_experiments, int_comparisons
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   dimension: rated dimension; '' if the rating has none
--   session_id: session. null: the ratings name none
--   slate_id: slate. null: the rating names none
--   job_id: job; '' for none
--   rater_id: rater. null: unknown
--   updated_at: last update of the slate (instant). null: the slate is not listed or has none
--   item_a: the item that sorts first
--   item_b: the other item
--   winner: the preferred item. null: a tie
select
  experiment_id,
  e.experiment_name,
  c.dimension,
  c.session_id,
  c.slate_id,
  c.job_id,
  c.rater_id,
  c.updated_at,
  c.item_a,
  c.item_b,
  case c.outcome when 1 then c.item_a when -1 then c.item_b end as winner
from int_comparisons as c
left join stg_experiments as e using (experiment_id)
