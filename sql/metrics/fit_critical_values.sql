-- kernel: critical_values
-- grain: one number of degrees of freedom that an interval needs
-- inputs: int_score_cells
-- columns:
--   df: degrees of freedom
--   critical: factor of the standard error in the interval
select distinct cast(n - 1 as double) as df
from int_score_cells
where n > 1
order by df
