-- grain: one rule that leaves out scores of slates, per dimension
-- inputs: key_ledger
-- columns:
--   rule_no: number of the rule and dimension, from 1
--   dimension_id: number of the dimension in int_dimensions
--   rule: rule, as in ledger.left_out_by
with
rules as (
  select distinct dimension_id, left_out_by
  from key_ledger
  where left_out_by is not null and not is_left_out_twice and score is not null
    and item_id is not null and slate_id is not null
)
select
  cast(row_number() over (order by dimension_id,
    cast(left_out_by as varchar)) as integer) as rule_no,
  dimension_id, cast(left_out_by as varchar) as rule
from rules
