-- kernel: critical_values
-- grain: one number of degrees of freedom of the raters who decided a dimension
-- inputs: key_sides
-- columns:
--   df: degrees of freedom
--   critical: factor of the standard error in the interval
with
raters as (
  select dimension_id, cast(count(distinct rater_no) - 1 as double) as df
  from key_sides
  where wins_left + wins_right > 0
  group by dimension_id
)
select distinct df from raters where df > 0 order by df
