-- grain: one statement of which end of a scale is better
-- inputs: experiments, int_published
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension. null: not given, so that it is the only one
--   direction: higher or lower
--   precedence: 1: of the study itself, such as a mapping; 2: of a published record; 3: a share of
--     approval is published
with
studies as (
  select id as experiment_id, unnest(json_extract(config, '$.directions[*]')) as stated
  from experiments
),
records as (
  select
    coalesce(listed_under, case when len(experiment_ids) = 1 then experiment_ids[1] end)
      as experiment_id,
    dimension,
    kind,
    json_merge_patch(coalesce(more, '{}'), coalesce(options, '{}')) as stated
  from int_published
),
named as (
  select
    experiment_id,
    dimension,
    case
      when kind = 'percent_approved' then 'higher'
      else coalesce(
        lower(json_extract_string(stated, '$.direction')),
        case json_extract_string(stated, '$.higher_is_better')
          when 'true' then 'higher' when 'false' then 'lower' end,
        case json_extract_string(stated, '$.lower_is_better')
          when 'true' then 'lower' when 'false' then 'higher' end
      )
    end as direction,
    case when kind = 'percent_approved' then 3 else 2 end as precedence
  from records
  where coalesce(kind, '') in ('', 'mean', 'stats', 'percent_approved')
)
select
  experiment_id,
  json_extract_string(stated, '$.dimension') as dimension,
  json_extract_string(stated, '$.direction') as direction,
  1 as precedence
from studies
union
select experiment_id, dimension, direction, precedence
from named
where experiment_id is not null and direction in ('higher', 'lower')
