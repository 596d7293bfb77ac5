-- grain: one item whose scores a rule of screening looks at, per dimension
-- inputs: stg_ratings, int_dimensions, int_items, int_roles
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   item_id: number of the item in int_items
--   has_scale: whether the dimension has five different scores or more; otherwise the item is a
--     reference or an anchor
-- A table of its own: the engine then knows that it is small, and does not hash all ratings.
with
scales as (
  select experiment_id, dimension from stg_ratings group by experiment_id, dimension
    having count(distinct score) >= 5
)
select d.dimension_id, i.item_id, s.dimension is not null as has_scale
from int_items as i
join int_dimensions as d using (experiment_id)
left join scales as s on s.experiment_id = d.experiment_id and s.dimension = d.dimension
left join int_roles as r using (item_id)
where s.dimension is not null or r.role is not null
