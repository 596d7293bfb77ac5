-- What became of the records of a list.
select
  (count(*) filter (where is_skipped))::integer as skipped,
  (count(reason) filter (where not is_skipped))::integer as quarantined,
  coalesce(
    list(distinct reason_without_cell(reason)) filter (where not is_skipped and reason is not null),
    []
  ) as reasons
from $table
