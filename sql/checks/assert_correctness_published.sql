-- severity: error
-- grain: one rating whose published is_correct is not the one its meta gives
-- inputs: audit_correctness
-- units: none
-- nulls: NULL is a value of the flag here
select * from audit_correctness
