-- severity: warning
-- grain: one rating whose isCorrect or expectedScores has a shape that counts as absent
-- inputs: int_correctness
-- units: flag_type and bounds_type are JSON types
-- nulls: a JSON null is absent and no offence
select experiment_id, session_id, slate_id, stimulus, dimension, meta, flag_type, bounds_type
from int_correctness
where flag_type not in ('BOOLEAN', 'NULL')
  or (bounds_type <> 'NULL' and not has_bounds)
