-- What a cell means, and what is said of one that means nothing.
create or replace temp macro shown_cell(cell) as to_json(left(cell, 80))::varchar;

-- A reason without the cell that it quotes. Only where a quotation begins is a space before it.
create or replace temp macro reason_without_cell(reason) as case
  when contains(reason, ': ')
    then
      regexp_extract(reason, '^\w+')
      || coalesce(
        nullif(
          regexp_extract(reason, '^\w+: the cell( is empty)', 1)
          || regexp_extract(reason, '(?s).*[^\\ \[]"( is [a-z0-9 ]+)\.', 1),
          ''
        ),
        ' does not fit'
      )
  else reason
end;

create or replace temp macro in_one_case(cell) as nullif(lower(trim(cell)), '');

create or replace temp macro number_of(cell) as case
  when isfinite(try_cast(cell as double)) and not contains(cell, '_') then try_cast(cell as double)
end;

create or replace temp macro with_decimal_point(cell) as
  replace(replace(cell, '.', '?'), ',', '.');

create or replace temp macro no_number_says(cell) as case
  when regexp_matches(cell, '^[+-]?[\d,]*,\d+$')
    then
      case
        when regexp_matches(cell, '^[+-]?\d{1,3}(,\d{3})+$')
          then ' If its comma separates thousands, take it out.'
        else ''
      end || ' If its comma is a decimal sign, state decimal: "," for the file.'
  when not regexp_matches(cell, '\d')
    then
      ' If it means a number, state values: { 5: ' || to_json([left(cell, 80)])::varchar
      || ' }; if none, missing for the file.'
  else ''
end;

-- A double has 53 bits.
create or replace temp macro is_inexact(cell) as
  regexp_matches(cell, '^\s*[+-]?\d{16,}(\.0*)?\s*$')
  and try_cast(cell as hugeint) is distinct from try_cast(number_of(cell) as hugeint);

create or replace temp macro whole_number(cell) as case
  when regexp_matches(cell, '^\s*[+-]?\d+(\.0*)?\s*$') then try_cast(cell as bigint)
end;

-- A spelling that shares fewer than half of the letters is not near.
create or replace temp macro nearest_says(cell, spellings) as coalesce(
  ' The nearest is ' || to_json(
    (
      list_sort(
        list_filter(
          list_transform(
            spellings,
            lambda one: {'distance': levenshtein(lower(one), lower(cell)), 'spelling': one}
          ),
          lambda near: 2 * near.distance <= greatest(length(near.spelling), length(cell))
        )
      )[1]
    ).spelling
  )::varchar || '.',
  ''
);

create or replace temp macro is_tie_and_item(cell, is_tie, left_item, right_item) as
  is_tie
  and coalesce(in_one_case(cell) in (in_one_case(left_item), in_one_case(right_item)), false);

create or replace temp macro winner_named(cell, is_tie, left_item, right_item) as case
  when is_tie_and_item(cell, is_tie, left_item, right_item) then null
  when is_tie then 'tie'
  when cell = left_item then 'left'
  when cell = right_item then 'right'
  when in_one_case(left_item) = in_one_case(right_item) then null
  when in_one_case(cell) = in_one_case(left_item) then 'left'
  when in_one_case(cell) = in_one_case(right_item) then 'right'
end;

create or replace temp macro winner_says(cell, is_tie, left_item, right_item, others) as case
  when is_tie_and_item(cell, is_tie, left_item, right_item)
    then ' is an item and means a tie: rename the item.'
  else
    ' is neither ' || shown_cell(left_item) || ' nor ' || shown_cell(right_item) || others
end;

create or replace temp macro scores_of(winner) as case winner
  when 'left' then [1.0, 0.0]
  when 'right' then [0.0, 1.0]
  when 'tie' then [0.5, 0.5]
end::double[];

-- Names of values that are null.
create or replace temp macro lacked("values", names) as list_transform(
  list_filter(
    list_zip("values"::varchar[], names::varchar[]),
    lambda one: one[1] is null
  ),
  lambda one: one[2]
);
