-- Names that differ in letter case, blanks, invisible characters or Unicode forms only.
select to_json(list(name order by name))::varchar as names
from (select distinct $name as name from taken where $name is not null)
group by
  lower(trim(regexp_replace(
    nfc_normalize(regexp_replace(name, '\p{Cf}', '', 'g')), '[\s\x{a0}\x{3000}]+', ' ', 'g'
  )))
having count(*) > 1
order by names
