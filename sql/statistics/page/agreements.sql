with
judged as (
  select
    dimension_id, answers, judged,
    sum(count(*)) over (partition by dimension_id, answers, judged) as answered,
    count(*) over (partition by dimension_id, answers, item_a, item_b) as alike
  from key_answers
  group by dimension_id, answers, item_a, item_b, judged
),
several as (
  select dimension_id, answers, count(distinct judged) as prompts
  from judged
  where answered > 1 and alike > 1
  group by dimension_id, answers
)
select a.*, coalesce(s.prompts, 0) as prompts
from agreement as a
join int_dimensions as d using (experiment_id, dimension)
left join several as s
  on s.dimension_id = d.dimension_id
  and s.answers = case a.answers when 'scores' then 0 else 1 end
where
  (a.value is not null or (a.reason = 'no two raters share a unit' and a.raters > 1))
  and a.statistic = case a.answers
    when 'scores' then 'krippendorff_interval'
    else 'krippendorff_nominal'
  end
  and a.experiment_id in (select unnest(from_json($ids, '["VARCHAR"]')))
order by a.experiment_id, a.dimension, a.answers
