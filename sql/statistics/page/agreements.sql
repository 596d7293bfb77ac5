select experiment_id, dimension, value, ci_low, ci_high, raters
from agreement
where
  value is not null
  and statistic = case answers
    when 'scores' then 'krippendorff_interval'
    else 'krippendorff_nominal'
  end
  and experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
-- Of comparisons where items are compared, otherwise of scores.
qualify row_number() over (partition by experiment_id, dimension order by answers) = 1
order by experiment_id, dimension
