-- grain: one stimulus of a slate that a rater rated twice
-- inputs: key_answers
-- columns:
--   dimension_id: number of the dimension in int_dimensions
--   rater_no: number of the rater in int_raters
--   stimuli: 64 bits that stand for the stimuli of the slate
--   first: first score (the experiment's scale)
--   second: second score (the experiment's scale)
with
-- Different sets of stimuli have equal hashes with a chance of about 2⁻⁶⁴.
slates as (
  select
    dimension_id, rater_no, session_no, slate_id,
    count(*) as n,
    hash(sum(stimulus)) as stimuli,
    min(stimulus) as stimulus_a, min_by(score, stimulus) as score_a,
    max(stimulus) as stimulus_b, max_by(score, stimulus) as score_b
  from key_answers
  group by dimension_id, rater_no, session_no, slate_id
),
-- Numbers of sessions are in service order.
ordered as (
  select
    *,
    row_number() over same_stimuli as place,
    lead(score_a) over same_stimuli as next_a,
    lead(score_b) over same_stimuli as next_b,
    lead(slate_id) over same_stimuli as next_slate,
    lead(session_no) over same_stimuli as next_session
  from slates
  window same_stimuli as (
    partition by dimension_id, rater_no, stimuli, n order by session_no nulls last, slate_id
  )
),
twice as (
  select * from ordered
  where place = 1 and next_slate is not null
),
-- Slates of one or two stimuli have their scores already. A stimulus that is twice in a slate does
-- not count.
larger as (
  select t.dimension_id, t.rater_no, t.stimuli, a.stimulus, any_value(a.score) as first,
    any_value(b.score) as second
  from twice as t
  join key_answers as a
    on a.dimension_id = t.dimension_id and a.rater_no = t.rater_no
    and a.session_no is not distinct from t.session_no and a.slate_id = t.slate_id
  join key_answers as b
    on b.dimension_id = t.dimension_id and b.rater_no = t.rater_no
    and b.session_no is not distinct from t.next_session and b.slate_id = t.next_slate
      and b.stimulus = a.stimulus
  where t.n > 2
  group by t.dimension_id, t.rater_no, t.stimuli, a.stimulus
  having count(*) = 1
)
select dimension_id, rater_no, stimuli, score_a as first, next_a as second from twice
where n = 1 or (n = 2 and stimulus_a <> stimulus_b)
union all
select dimension_id, rater_no, stimuli, score_b, next_b from twice
where n = 2 and stimulus_a <> stimulus_b
union all
select dimension_id, rater_no, stimuli, first, second from larger
