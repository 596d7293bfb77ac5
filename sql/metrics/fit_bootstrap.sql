-- kernel: bootstrap
-- grain: in: one distinct score of a cell; out: one cell; empty unless the interval is a bootstrap
--     by convention
-- inputs: int_score_counts, int_score_cells
-- columns:
--   cell_id: id of the cell in int_score_cells
--   low: lower end of the interval (the experiment's scale)
--   high: upper end of the interval (the experiment's scale)
select
  cell_id,
  score,
  cast(c.n as double) as n
from int_score_counts as c
join int_score_cells using (experiment_id, dimension, source, item)
where conventions().stats.interval = 'bootstrap'
order by cell_id, score
