import { didYouMean, sqlText as text, UsageError } from "../platform/index.js";
import type { FileSet } from "./mapping.js";
import { listOf, spelled, type ComparisonList, type RatingList, type Ref, type Scalar, type Time } from "./schema.js";

/** The text of a column, as SQL. @throws UsageError if there is none of that name */
type ColumnOf = (name: string) => string;

/** A value of a row: its SQL, and SQL that says why it does not fit, null if it does. */
interface Judged {
  readonly sql: string;
  readonly misfits: readonly string[];
}

/** `"left "`: a cell in a message. */
const shown = (cell: string) => `to_json(left(${cell}, 80))::varchar`;

/** Says what a cell is that has no value by `sql`; `says` is SQL for the rest of the sentence. */
const unless = (key: string, cell: string, sql: string, says: string) =>
  `when ${cell} is not null and (${sql}) is null then ${text(`${key}: `)} || ${shown(cell)} || ${says}`;

/** Whether a cell has one of the spellings; null stands for an empty one. */
export function isOne(cell: string, spelling: Scalar | readonly Scalar[]): string {
  const spellings = listOf(spelling);
  const texts = spellings.map(spelled).filter((one) => one !== null);
  const numbers = spellings.filter((one) => typeof one === "number");
  const some = [
    ...(texts.length === 0 ? [] : [`coalesce(${cell} in (${texts.map(text).join(", ")}), false)`]),
    // A number has many spellings: 2 is 2.0 too.
    ...(numbers.length === 0 ? [] : [`coalesce(try_cast(${cell} as double) in (${numbers.join(", ")}), false)`]),
  ].join(" or ");
  return `(${[...(spellings.includes(null) ? [`${cell} is null`] : []), ...(some === "" ? [] : [some])].join(" or ")})`;
}

/** The nearest of some texts to a cell, in words for a message. */
function nearest(cell: string, texts: readonly string[]): string {
  const each = `list_transform([${texts.map(text).join(", ")}], lambda one: {'d': levenshtein(lower(one), lower(${cell})), 't': one})`;
  return `' The nearest is ' || to_json((list_sort(${each})[1]).t)::varchar || '.'`;
}

/** What the spelling of a cell means. */
function meaning(
  key: string,
  cell: string,
  values: Readonly<Record<string, Scalar | readonly Scalar[]>>,
  as: (name: string) => string = text,
): Judged {
  const entries = Object.entries(values).map(([name, own]) => ({ name, spellings: listOf(own) }));
  const sql = `case ${entries.map(({ name, spellings }) => `when ${isOne(cell, spellings)} then ${as(name)}`).join(" ")} end`;
  const texts = entries.flatMap(({ spellings }) => spellings.flatMap((one) => spelled(one) ?? []));
  const known = texts.slice(0, 20).map((one) => JSON.stringify(one));
  const says = `${text(` is not one of ${known.join(", ")}.`)} || ${nearest(cell, texts)}`;
  return { sql, misfits: [unless(key, cell, sql, says)] };
}

/** The text that a reference means. */
export function textAt(key: string, ref: Ref | undefined, columnOf: ColumnOf): Judged {
  if (ref === undefined) return { sql: "null::varchar", misfits: [] };
  if (typeof ref === "string") return { sql: columnOf(ref), misfits: [] };
  if (Array.isArray(ref)) return { sql: (ref as readonly string[]).map(columnOf).join(" || '/' || "), misfits: [] };
  const { column, value, values, field } = ref;
  if (column === undefined) return { sql: text(value ?? ""), misfits: [] };
  const cell = columnOf(column);
  if (values !== undefined) return meaning(key, cell, values);
  if (field === undefined) return { sql: cell, misfits: [] };
  const own = `coalesce(json_extract_string(${cell}, ${text(`$."${field}"`)}), ${cell})`;
  return { sql: `case when ${isNested(cell)} then ${own} else ${cell} end`, misfits: [] };
}

/** Whether a cell is an object or a list of JSON. */
const isNested = (cell: string) =>
  `case when left(ltrim(${cell}), 1) in ('{', '[') then json_valid(${cell}) else false end`;

const isPlainRef = (ref: Ref | undefined) => typeof ref !== "object" || Array.isArray(ref);

/** The columns that a reference reads. */
const columnsOf = (ref: Ref | undefined): readonly string[] =>
  listOf(isPlainRef(ref) ? (ref as string | readonly string[] | undefined) : (ref as { column?: string }).column);

/** An identifier. An object is none: it may have an address or a name in it. */
function identifierAt(key: string, ref: Ref | undefined, columnOf: ColumnOf): Judged {
  const { sql, misfits } = textAt(key, ref, columnOf);
  const isField = !isPlainRef(ref) && (ref as { field?: string }).field !== undefined;
  const nested = columnsOf(ref).map((column) => {
    const says = `${key} (${column}): the cell is an object or a list. Name its id: ${column}.id, or { column: ${column}, field: id }.`;
    return `when ${isNested(isField ? sql : columnOf(column))} then ${text(says)}`;
  });
  return { sql, misfits: [...nested, ...misfits] };
}

const isEmpty = (key: string, sql: string) => `when (${sql}) is null then ${text(`${key}: the cell is empty.`)}`;

function required(key: string, { sql, misfits }: Judged): Judged {
  return { sql, misfits: [...misfits, isEmpty(key, sql)] };
}

const truths = {
  true: ["true", "True", "TRUE", "1", "yes", "Yes"],
  false: ["false", "False", "FALSE", "0", "no", "No"],
};

/** True or false; an empty cell is neither. */
function flagAt(key: string, ref: Ref | undefined, columnOf: ColumnOf): Judged {
  if (ref === undefined) return { sql: "null::boolean", misfits: [] };
  const own = typeof ref === "object" && !Array.isArray(ref) ? ref : { column: ref as string };
  const { column, value, values } = own;
  if (column === undefined) return { sql: String(value === "true"), misfits: [] };
  return meaning(key, columnOf(column), values ?? truths, (name) => (name === "true" ? "true" : "false"));
}

/** A finite number, as a double. */
function numberAt(key: string, cell: string, { decimal = "." }: FileSet): Judged {
  const plain = decimal === "," ? `replace(replace(${cell}, '.', '?'), ',', '.')` : cell;
  const number = `try_cast(${plain} as double)`;
  const sql = `case when isfinite(${number}) and not contains(${cell}, '_') then ${number} end`;
  const other =
    decimal === ","
      ? ""
      : ` || case when regexp_matches(${cell}, '^[+-]?\\d+,\\d+$') then ' If its comma is a decimal sign, state decimal: "," for the file.' else '' end`;
  return { sql, misfits: [unless(key, cell, sql, `' is not a finite number.'${other}`)] };
}

const zone = "(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)$";
const zoned = `^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)? ?${zone}`;

/** An instant. */
function instantAt(key: string, time: Time | undefined, columnOf: ColumnOf): Judged {
  if (time === undefined) return { sql: "null::timestamptz", misfits: [] };
  const { column, zone: own, unit, format } = typeof time === "string" ? { column: time } : time;
  const cell = columnOf(column);
  const inZone = (instant: string) => `timezone(${text(own ?? "UTC")}, ${instant})`;
  const stated = `case when regexp_matches(upper(${cell}), ${text(zoned)}) then try_cast(upper(${cell}) as timestamptz) end`;
  const local = own === undefined ? stated : `coalesce(${stated}, ${inZone(`try_cast(${cell} as timestamp)`)})`;
  const microseconds = `try_cast(try_cast(${cell} as decimal(24, 6)) * ${unit === "ms" ? 1000 : 1_000_000} as bigint)`;
  const sql =
    unit !== undefined
      ? `make_timestamptz(${microseconds})`
      : format !== undefined
        ? inZone(`try_strptime(${cell}, ${text(format)})`)
        : local;
  const what =
    unit !== undefined
      ? `a number of ${unit}`
      : format !== undefined
        ? `written as ${format}`
        : own === undefined
          ? "an instant with a zone. If all are in one zone, state it, as zone: UTC"
          : "an instant";
  return { sql, misfits: [unless(key, cell, sql, text(` is not ${what}.`))] };
}

/** Typed columns of the rows of a list. */
export interface RowSql {
  /** True if each row is one rating. Otherwise `item`, `score` and `dimension` are lists of equal length. */
  readonly isSingle: boolean;
  /** Name to SQL. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL for a row that is left out on purpose. */
  readonly isSkipped: string;
  /** SQL that says why a row is in quarantine, null if it is not. */
  readonly reason: string;
}

/** The columns that a wide list takes apart: item to its columns. */
export interface WideColumn {
  readonly star: string;
  readonly score: string;
  readonly item: string | undefined;
}

/** The columns of a wide list, in their order. @throws UsageError if there are none */
export function wideColumns({ wide }: RatingList, columns: readonly string[], where: string): WideColumn[] {
  if (wide === undefined) return [];
  const patterns = listOf(wide.score);
  const starOf = (pattern: string, name: string) => {
    const [before = "", after] = pattern.split("*");
    if (after === undefined) return name === pattern ? name : undefined;
    const fits = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
    return fits ? name.slice(before.length, name.length - after.length) : undefined;
  };
  const isNone = (pattern: string) => columns.every((name) => starOf(pattern, name) === undefined);
  const none = patterns.find(isNone);
  if (none !== undefined)
    throw new UsageError(
      `${where}: no column matches ${none}.${didYouMean(none, columns)} There are ${columns.join(", ")}.`,
    );
  return columns.flatMap((name) => {
    const [star] = patterns.flatMap((pattern) => starOf(pattern, name) ?? []);
    return star === undefined ? [] : [{ star, score: name, item: wide.item?.replace("*", star) }];
  });
}

/** A key of all cells. */
export const wholeRecord = "*";

/**
 * What no two records of a list have in common; for all cells only whether they are compared. They are by default, where
 * a column says who rated: equal records of nobody may be different ones.
 */
function keyAt({ key, rater, session }: RatingList | ComparisonList, columnOf: ColumnOf): string {
  const people = [...columnsOf(rater), ...columnsOf(session)].map(columnOf);
  if (key === undefined && people.length > 0)
    return `case when concat(${people.join(", ")}) <> '' then ${text(wholeRecord)} end`;
  if (key === undefined || key.length === 0) return "null::varchar";
  if (key.includes(wholeRecord)) return text(wholeRecord);
  return `concat_ws(chr(31), ${key.map((name) => `coalesce(${columnOf(name)}, '')`).join(", ")})`;
}

function commonColumns(list: RatingList | ComparisonList, columnOf: ColumnOf): Record<string, Judged> {
  const session =
    list.order === "row"
      ? { sql: "'all'", misfits: [] }
      : identifierAt("session", list.session ?? list.rater, columnOf);
  const meta = list.meta === undefined ? "null::varchar" : columnOf(list.meta);
  return {
    key: { sql: keyAt(list, columnOf), misfits: [] },
    rater: identifierAt("rater", list.rater, columnOf),
    session:
      list.session === undefined
        ? { ...session, sql: `coalesce(${session.sql}, 'all')` }
        : required("session", session),
    job: identifierAt("job", list.job, columnOf),
    slate:
      list.slate === undefined
        ? textAt("slate", undefined, columnOf)
        : required("slate", identifierAt("slate", list.slate, columnOf)),
    dimension: textAt("dimension", list.dimension, columnOf),
    training: flagAt("training", list.training, columnOf),
    correct: flagAt("correct", list.correct, columnOf),
    meta: {
      sql: meta,
      misfits:
        list.meta === undefined
          ? []
          : [
              `when ${meta} is not null and not json_valid(${meta}) then ${text("meta: ")} || ${shown(meta)} || ' is not JSON.'`,
            ],
    },
    time: instantAt("time", list.time, columnOf),
    started: instantAt("started", list.started, columnOf),
    completed: instantAt("completed", list.completed, columnOf),
  };
}

function skipped({ only = {}, skip = {} }: RatingList | ComparisonList, columnOf: ColumnOf): string {
  const conditions = [
    ...Object.entries(only).map(([name, spellings]) => `not ${isOne(columnOf(name), spellings)}`),
    ...Object.entries(skip).map(([name, spellings]) => isOne(columnOf(name), spellings)),
  ];
  return conditions.join(" or ") || "false";
}

const reasonOf = (flaw: string, columns: Readonly<Record<string, Judged>>) => {
  const misfits = Object.values(columns).flatMap(({ misfits: own }) => own);
  return `case when ${flaw} is not null then ${flaw} ${misfits.join(" ")} end`;
};

const plain = (columns: Readonly<Record<string, Judged>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, { sql }]) => [name, sql]));

/** The score of a row. */
function scoreAt(score: RatingList["score"], column: string, columnOf: ColumnOf, options: FileSet): Judged {
  const { values, minimum, maximum } = typeof score === "object" ? score : {};
  const key = `score (${column})`;
  const cell = columnOf(column);
  const own =
    values === undefined
      ? numberAt(key, cell, options)
      : meaning(key, cell, values, (name) => `${Number(name)}::double`);
  const beyond = (sign: string, end: number | undefined, says: string) =>
    end === undefined
      ? []
      : [`when (${own.sql}) ${sign} ${end} then ${text(`${key}: `)} || ${shown(cell)} || ' is ${says} of ${end}.'`];
  const ends = [...beyond("<", minimum, "below the minimum"), ...beyond(">", maximum, "above the maximum")];
  return { sql: own.sql, misfits: [...own.misfits, ...ends] };
}

/** SQL for the rows of a list of ratings. A wide row is a rating for each of its columns that has a score. */
export function ratingRows(
  list: RatingList,
  wide: readonly WideColumn[],
  options: FileSet,
  columnOf: ColumnOf,
  flaw: string,
): RowSql {
  const common = commonColumns(list, columnOf);
  const idCell = list.item_id === undefined ? "null::varchar" : columnOf(list.item_id);
  const itemSql = `try_cast(${idCell} as bigint)`;
  const itemId = { sql: itemSql, misfits: [unless("item_id", idCell, itemSql, "' is not an integer.'")] };
  if (wide.length === 0) {
    const { score: spec } = list;
    const column = typeof spec === "object" ? (spec.column ?? "") : (spec ?? "");
    const item = required("item", textAt("item", list.item, columnOf));
    const score = scoreAt(spec, column, columnOf, options);
    const columns = { ...common, item, itemId, score };
    return {
      isSingle: true,
      columns: plain(columns),
      isSkipped: skipped(list, columnOf),
      reason: reasonOf(flaw, columns),
    };
  }
  const isDimension = list.wide?.dimension === true;
  const own = textAt("item", list.item, columnOf);
  const cells = wide.map(({ star, score, item }) => ({
    item:
      isDimension || (item === undefined && list.item !== undefined)
        ? own.sql
        : item === undefined
          ? text(star)
          : columnOf(item),
    dimension: isDimension || list.item !== undefined ? text(star) : (common.dimension?.sql ?? "null::varchar"),
    score: scoreAt(list.score, score, columnOf, options),
    cell: columnOf(score),
  }));
  const columns = {
    ...common,
    itemId,
    item: own,
    ...Object.fromEntries(
      cells.map(({ score, item, cell }, i) => [
        `score${i}`,
        {
          sql: score.sql,
          misfits: [
            ...score.misfits,
            `when ${cell} is not null and (${item}) is null then ${text("item: the cell is empty.")}`,
          ],
        },
      ]),
    ),
  };
  const rated = `[${cells.map(({ item, dimension, score }) => `{'i': ${item}, 'd': ${dimension}, 's': ${score.sql}}`).join(", ")}]`;
  const kept = `list_filter(${rated}, lambda one: one.s is not null)`;
  return {
    isSingle: false,
    columns: {
      ...plain({ ...common, itemId }),
      item: `list_transform(${kept}, lambda one: one.i)`,
      score: `list_transform(${kept}, lambda one: one.s)`,
      dimension: `list_transform(${kept}, lambda one: one.d)`,
    },
    isSkipped: skipped(list, columnOf),
    reason: reasonOf(flaw, columns),
  };
}

/** SQL for the rows of a list of comparisons: two ratings each, 1 for the winner, 0 for the other, 0.5 for each of a tie. */
export function comparisonRows(list: ComparisonList, columnOf: ColumnOf, flaw: string): RowSql {
  const common = commonColumns(list, columnOf);
  const left = required("left", textAt("left", list.left, columnOf));
  const right = required("right", textAt("right", list.right, columnOf));
  const { column, values } = list.winner;
  const winner = required("winner", meaning(`winner (${column})`, columnOf(column), values));
  const same = {
    sql: "",
    misfits: [
      `when (${left.sql}) = (${right.sql}) then ${text("left and right: both are ")} || ${shown(left.sql)} || '.'`,
    ],
  };
  const columns = { ...common, left, right, winner, same };
  const score = (side: string) =>
    `case ${winner.sql} when ${text(side)} then 1.0 when 'tie' then 0.5 else 0.0 end::double`;
  const dimension = common.dimension?.sql ?? "null::varchar";
  return {
    isSingle: false,
    columns: {
      ...plain(common),
      itemId: "null::bigint",
      item: `[${left.sql}, ${right.sql}]`,
      score: `[${score("left")}, ${score("right")}]`,
      dimension: `[${dimension}, ${dimension}]`,
    },
    isSkipped: skipped(list, columnOf),
    reason: reasonOf(flaw, columns),
  };
}
