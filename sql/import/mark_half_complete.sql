-- Rows of sessions that are complete in other rows only.
select
  i,
  row,
  'completed: the cell is empty, and another row says that the session is complete.' as why
from (select *, count(completed) over (partition by session) as complete from ($rows))
where completed is null and complete > 0
