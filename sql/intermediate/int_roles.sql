-- grain: one item with a role, as its experiment states it, otherwise as its name proposes
-- inputs: stg_experiments, int_items
-- columns:
--   item_id: number of the item in int_items
--   experiment_id: experiment
--   item: item
--   role: reference, mid_anchor (the mid-range anchor) or anchor
with
stated as (
  select
    experiment_id,
    json_extract(roles, ['$.reference', '$.anchors']) as given,
    list_transform(given, lambda names: case json_type(names)
      when 'ARRAY' then from_json(names, '["VARCHAR"]')
      when 'VARCHAR' then [json_extract_string(names, '$')] end) as names
  from stg_experiments
),
judged as (
  select
    i.*,
    case
      when s.names[1] is null then regexp_matches(i.item, '^(hidden[ _-]?)?ref(erence)?$', 'i')
      else list_contains(s.names[1], i.item)
    end as is_reference,
    -- The mid-range anchor is filtered at 7 kHz.
    case
      when s.names[2] is null
        then regexp_matches(i.item,
          '^(mid[a-z]*[ _-]?anchor|anchor[ _-]?(mid.*|70.*|7k.*|7000.*))$', 'i')
      else list_contains(s.names[2], i.item)
        and regexp_matches(i.item, 'mid|(^|[^0-9.])7([.,]?0+)?([^0-9.]|$)', 'i')
    end as is_mid_anchor,
    case
      when s.names[2] is null then regexp_matches(i.item, 'anchor', 'i')
      else list_contains(s.names[2], i.item)
    end as is_anchor
  from int_items as i
  left join stated as s using (experiment_id)
)
select
  item_id, experiment_id, item,
  case when is_reference then 'reference' when is_mid_anchor then 'mid_anchor'
    else 'anchor' end as role
from judged
where is_reference or is_mid_anchor or is_anchor
