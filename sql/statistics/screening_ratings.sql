-- grain: one rating that a screening rule looks at, with whether it offends; whole experiments only
-- inputs: screening_scores, int_roles, int_correctness
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rule: bs1534_reference, bs1534_anchor, bt500, p808 or training
--   rater_id: rater
--   session_id: session. null: the rating names none
--   slate_id: slate. null: the rating names none
--   item: item
--   stimulus: name of the stimulus, or its id as text
--   score: score (the experiment's scale). null: not scored
--   side: 1: offends upwards, -1: downwards, 0: does not offend
with
roles as (
  select s.*, r.role
  from screening_scores as s
  join int_roles as r using (experiment_id, item)
),
anchors as (
  select
    experiment_id, dimension, rater_id, session_id, slate_id, item, stimulus, score,
    -- A test item is known by its stimulus, if an item is a part of that.
    case
      when stimulus = item then 0
      else count(*) filter (where score > 90) over (partition by experiment_id, dimension, stimulus)
        / count(*) over (partition by experiment_id, dimension, stimulus)
    end as share_above
  from roles
  where role = 'mid_anchor'
)
select experiment_id, dimension, 'bs1534_reference' as rule, rater_id, session_id, slate_id, item,
  stimulus, score,
  case when score < 90 then -1 else 0 end as side
from roles
where role = 'reference'
union all
select experiment_id, dimension, 'bs1534_anchor', rater_id, session_id, slate_id, item, stimulus,
  score,
  case when score > 90 and share_above <= 0.25 then 1 else 0 end
from anchors
union all
select experiment_id, dimension, 'bt500', rater_id, session_id, slate_id, item, stimulus, score,
  case
    when coalesce(reach, 0) = 0 then 0
    when score >= stimulus_mean + reach then 1
    when score <= stimulus_mean - reach then -1
    else 0
  end
from screening_scores
where stimulus_mean is not null
union all
select experiment_id, dimension, 'p808', rater_id, session_id, slate_id, item, stimulus, score,
  case
    when abs(score - item_mean) >= 3.29 * item_sd and item_sd > 0
      then cast(sign(score - item_mean) as integer)
    when stimulus_n > 5 and abs(score - stimulus_mean) >= 3.29 * stimulus_sd and stimulus_sd > 0
      then cast(sign(score - stimulus_mean) as integer)
    else 0
  end
from screening_scores
where stimulus_mean is not null and item_mean is not null
union all
select
  experiment_id, dimension, 'training', rater_id, session_id, slate_id, item, stimulus, score,
  case when is_correct then 0 else -1 end
from int_correctness
where is_training and is_correct is not null and rater_id is not null and item is not null
