-- grain: one recomputed number: experiment, kind, dimension, source, item and field
-- inputs: metric_{kind}
-- columns:
--   experiment_id: experiment
--   kind: metric kind
--   dimension: rated dimension; '' if the rating has none
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   item: item. null: the rating has no stimulus
--   field: column of the metric's table
--   value: the number (as in the metric's table)
with
wide as (
  select '{kind}' as kind, columns(name -> name <> 'component') from metric_{kind}
),
numbers as (
  select experiment_id, kind, dimension, source, item,
    cast(columns(* exclude (experiment_id, kind, dimension, source, item)) as double)
  from wide
)
select experiment_id, kind, dimension, source, item, field, value
from (
  unpivot numbers
  on columns(* exclude (experiment_id, kind, dimension, source, item))
  into name field value number
) as long (experiment_id, kind, dimension, source, item, field, value)
order by experiment_id, kind, dimension, source, item, field
