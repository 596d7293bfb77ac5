-- kernel: critical_values
-- grain: one number of degrees of freedom that an interval clustered by rater needs
-- inputs: int_score_clusters
-- columns:
--   df: degrees of freedom
--   critical: factor of the standard error in the interval
select distinct cast(raters - 1 as double) as df
from int_score_clusters
where raters > 1
order by df
