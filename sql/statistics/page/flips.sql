from robustness
where experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by experiment_id, dimension, class, unit, k
