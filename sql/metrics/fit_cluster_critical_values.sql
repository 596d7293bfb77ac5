-- kernel: critical_values
-- grain: one number of degrees of freedom that an interval clustered by rater needs
-- inputs: int_score_clusters, int_share_clusters
-- columns:
--   df: degrees of freedom
--   critical: factor of the standard error in the interval
select distinct cast(raters - 1 as double) as df
from (select raters from int_score_clusters union all select raters from int_share_clusters)
where raters > 1
order by df
