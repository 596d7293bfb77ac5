from agreement
where
  value is not null
  and statistic = case answers
    when 'scores' then 'krippendorff_interval'
    else 'krippendorff_nominal'
  end
  and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by experiment_id, dimension, answers
