-- grain: one rank that is published for an item of a scale
-- inputs: int_published
-- columns:
--   record: number of the published record
--   experiment_id: experiment
--   dimension: rated dimension. null: not given, so that it is the only one
--   item: item as the record names it
--   rank: rank, as published
with
records as (
  select distinct
    coalesce(listed_under, case when len(experiment_ids) = 1 then experiment_ids[1] end)
      as experiment_id,
    dimension,
    scores
  from int_published
  where
    coalesce(kind, '') in ('', 'mean', 'stats')
    and regexp_matches(scores, '"(rank|ranking|position|place)"', 'i')
),
entries as (
  select
    row_number() over (order by experiment_id, dimension, scores) as record,
    experiment_id,
    dimension,
    unnest(case
      when json_type(scores) = 'ARRAY' then json_extract(scores, '$[*]')
      else json_extract(scores, '$.*')
    end) as entry,
    unnest(json_keys(scores)) as key
  from records
  where experiment_id is not null
),
texts as (
  select
    record,
    experiment_id,
    dimension,
    key,
    json_extract_string(
      entry, ['$.stimulus', '$.item', '$.name', '$.label', '$.condition', '$.model']
    ) as names,
    json_extract_string(
      entry, ['$.rank', '$.Rank', '$.ranking', '$.position', '$.place']
    ) as ranks
  from entries
)
select
  record,
  experiment_id,
  dimension,
  coalesce(list_filter(names, lambda one: one is not null)[1], key) as item,
  try_cast(regexp_extract(
    list_filter(ranks, lambda one: one is not null)[1], '^\s*[#№]?\s*(\d+)', 1
  ) as integer) as rank
from texts
where rank is not null and item is not null
