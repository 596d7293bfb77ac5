-- stored: view
-- grain: one scored rating of the population and source: '' is the whole experiment, otherwise a
--     job or a published set of jobs
-- inputs: int_population, int_job_sets
-- columns:
--   source: ratings counted: '' the whole experiment, otherwise a job or a published set of jobs
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   item: item. null: the rating has no stimulus
--   rater_id: rater. null: unknown
--   score: score (the experiment's scale)
with
scores as not materialized (
  select experiment_id, dimension, job_id, item, rater_id, score
  from int_population
  where score is not null
)
select '' as source, experiment_id, dimension, item, rater_id, score
from scores
union all
select job_id as source, experiment_id, dimension, item, rater_id, score
from scores
where job_id <> ''
union all
select s.source, p.experiment_id, p.dimension, p.item, p.rater_id, p.score
from scores as p
join int_job_sets as s on s.experiment_id = p.experiment_id and s.job_id = p.job_id
