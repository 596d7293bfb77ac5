-- stored: view
-- grain: one scored rating of the population and source: '' is the whole experiment, otherwise a job
-- inputs: int_population
-- units: score in the experiment's own scale
-- nulls: none in score
select '' as source, experiment_id, dimension, item, rater_id, score
from int_population
where score is not null
union all
select job_id as source, experiment_id, dimension, item, rater_id, score
from int_population
where score is not null and job_id <> ''
