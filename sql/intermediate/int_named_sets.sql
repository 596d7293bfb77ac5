-- grain: one text with which published numbers may name a set of jobs
-- inputs: int_published
-- columns:
--   source: source as published. null: the record has none
--   more: fields that the contract does not know (JSON text). null: none
select distinct source, cast(more as string) as more
from int_published
where contains(source, ',') or more is not null
