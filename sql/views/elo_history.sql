-- stored: view
-- sorted by: experiment_id, dimension, service_rank, item
-- grain: one item after a session that compared it, per experiment and dimension
-- inputs: stg_experiments, fit_elo_history, int_groups, int_items, int_sessions
-- columns:
--   experiment_id: experiment
--   experiment_name: name of the experiment. null: not given
--   dimension: rated dimension; '' if the rating has none
--   service_rank: position of the session in the service order, from 1. null: comparisons without a
--     session
--   session_id: session. null: comparisons without a session
--   completed_at: completion of the session (instant). null: not completed or not listed
--   item: item
--   value: rating after the session (Elo)
--   comparisons: updates of the rating until then (count)
select
  g.experiment_id,
  e.experiment_name,
  g.dimension,
  s.service_rank,
  s.session_id,
  s.completed_at,
  i.item,
  f.value,
  f.comparisons
from fit_elo_history as f
join int_groups as g using (group_id)
join int_items as i using (item_id)
left join int_sessions as s on s.session_no = f.session
left join stg_experiments as e on e.experiment_id = g.experiment_id
