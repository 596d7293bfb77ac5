-- What may differ the next time or elsewhere: functions that the engine lists so, others that
-- depend on the order of rows, the clock or the machine, and macros made of them. A bare one needs
-- no brackets.
with recursive
  macro_words as (
    select
      function_name as macro,
      unnest(regexp_extract_all(lower(macro_definition), '\w+')) as word
    from duckdb_functions()
    where macro_definition is not null
  ),
  bare as (
    select unnest([
      'current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp',
      'current_user', 'session_user', 'current_role', 'current_catalog', 'current_schema'
    ]) as name
  ),
  refused as (
    select function_name as name
    from duckdb_functions()
    where stability <> 'CONSISTENT'
    union
    select name from bare
    union
    select unnest([
      'any_value', 'first', 'last', 'arbitrary', 'reservoir_quantile', 'get_current_timestamp',
      'current_localtime', 'current_localtimestamp', 'getenv', 'current_setting', 'getvariable',
      'version', 'user', 'pg_postmaster_start_time', 'json_serialize_plan'
    ])
    union
    select macro_words.macro
    from refused inner join macro_words on refused.name = macro_words.word
    where macro_words.word <> 'error'
  )

select
  name,
  name in (select name from bare) as is_bare
from refused
