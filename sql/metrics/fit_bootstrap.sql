-- kernel: bootstrap
-- grain: in: one distinct score of a cell; out: one cell
-- inputs: int_score_counts, int_score_cells
-- units: the experiment's own scale
-- nulls: none; empty unless the interval is a bootstrap by convention
select
  cell_id,
  score,
  cast(c.n as double) as n
from int_score_counts as c
join int_score_cells using (experiment_id, dimension, source, item)
where conventions().stats.interval = 'bootstrap'
order by cell_id, score
