-- grain: one rater and rule, per experiment and dimension; whole experiments only
-- inputs: screening_ratings, int_judged
-- columns:
--   experiment_id: experiment
--   dimension: rated dimension; '' if the rating has none
--   rater_id: rater
--   rule: bs1534_reference, bs1534_anchor, bt500, p808 or training
--   clause: where the rule is from
--   ratings: ratings that the rule looks at (count)
--   offending: ratings that offend (count)
--   offending_pct: their share (percent)
--   excluded: whether the rule excludes the rater
--   excluded_ratings: ratings that the rule leaves out: all of an excluded rater, of p808 those
--     that offend (count)
--   sentence: the result in words
with
counted as (
  select
    experiment_id, dimension, rater_id, rule,
    count(*) as ratings,
    count(*) filter (where side <> 0) as offending,
    100 * count(*) filter (where side <> 0) / count(*) as offending_pct,
    abs(sum(side)) as imbalance
  from screening_ratings
  group by experiment_id, dimension, rater_id, rule
),
judged as (
  select
    *,
    case rule
      when 'bs1534_reference' then offending_pct > 15
      when 'bs1534_anchor' then offending_pct > 15
      when 'bt500' then offending_pct > 5 and imbalance < 0.3 * offending
      when 'training' then offending_pct > 30
      else false
    end as excluded
  from counted
),
totals as (
  select experiment_id, dimension, rater_id, count(*) as scores
  from int_judged
  semi join (select experiment_id, dimension, rater_id from judged
    where excluded) using (experiment_id, dimension, rater_id)
  where left_out_by is null and score is not null and item is not null
  group by experiment_id, dimension, rater_id
)
select
  experiment_id, dimension, rater_id, rule,
  case rule
    when 'bs1534_reference' then 'ITU-R BS.1534-3 §4.1.2'
    when 'bs1534_anchor' then 'ITU-R BS.1534-3 §4.1.2'
    when 'bt500' then 'ITU-R BT.500 A1-2.3.1'
    when 'p808' then 'ITU-T P.808, |z| ≥ 3.29'
    else 'fewer than 70 % of the training is correct'
  end as clause,
  ratings, offending, offending_pct, excluded,
  case when excluded then coalesce(scores, 0) when rule = 'p808' then offending
    else 0 end as excluded_ratings,
  format(
    case rule
      when 'bs1534_reference' then '{} of {} ratings of the hidden reference are below 90'
      when 'bs1534_anchor' then '{} of {} ratings of the mid-range anchor are above 90'
      when 'bt500' then '{} of {} ratings are outside the expected range of their stimulus'
      when 'p808'
        then '{} of {} ratings are 3.29 standard deviations or more from their condition or clip'
      else '{} of {} training ratings are incorrect'
    end || case when excluded then ': excluded.' else ': kept.' end,
    offending, ratings
  ) as sentence
from judged
left join totals using (experiment_id, dimension, rater_id)
order by experiment_id, dimension, rater_id, rule
