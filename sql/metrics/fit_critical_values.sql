-- kernel: critical_values
-- grain: one number of degrees of freedom that an interval needs
-- inputs: int_score_counts
-- units: out: critical is the factor of the standard error in a 95 % interval
-- nulls: none
select distinct cast(sum(n) - 1 as double) as df
from int_score_counts
group by experiment_id, dimension, source, item
having sum(n) > 1
order by df
