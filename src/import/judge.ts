import { didYouMean, sqlText as text, UsageError } from "../platform/index.js";
import type { Warehouse } from "../warehouse/index.js";
import type { FileSet } from "./mapping.js";
import {
  listOf,
  spelled,
  type ComparisonList,
  type Flag,
  type RatingList,
  type Ref,
  type Scalar,
  type Time,
} from "./schema.js";

/** The text of a column, as SQL. @throws UsageError if there is none of that name */
type ColumnOf = (name: string) => string;

/** A way in which a value does not fit. */
interface Misfit {
  /** SQL that is true if it does not. */
  readonly when: string;
  /** Of the mapping. */
  readonly key: string;
  /** SQL for the name of the column, where the key has several. */
  readonly column?: string | undefined;
  /** SQL for the text that the sentence quotes. */
  readonly cell?: string;
  /** SQL for the rest of the sentence. */
  readonly says: string;
}

/** A value of a row: its SQL, and how it may not fit. */
interface Judged {
  readonly sql: string;
  readonly misfits: readonly Misfit[];
}

/** How the columns of a file are read, and what is said of a record that does not fit. */
export interface Reading {
  readonly options: FileSet;
  readonly columnOf: ColumnOf;
  /** SQL that says why a record cannot be read at all. */
  readonly flaw: string;
  /** Whether no sentence may quote the files or the mapping, since they may name persons. */
  readonly isPseudonymised: boolean;
}

/** SQL for a text in a sentence: `"left "`. */
const quoted = (cell: string) => `to_json(left(${cell}, 80))::varchar`;

/** SQL for the sentence about a value that does not fit, for example `score (mos): "x" is not a finite number.` */
export function sentence({ key, column, cell, says }: Omit<Misfit, "when">, isPseudonymised: boolean): string {
  if (isPseudonymised && (cell ?? column) !== undefined) return text(`${key}: the value does not fit.`);
  const quote = cell === undefined ? "" : ` || ${quoted(cell)}`;
  const name = column === undefined ? text(`${key}: `) : `${text(`${key} (`)} || ${column} || '): '`;
  return `${name}${quote} || ${says}`;
}

/** Cases of `case` that give the first sentence that applies. */
const casesOf = (misfits: readonly Misfit[], { isPseudonymised }: Pick<Reading, "isPseudonymised">) =>
  misfits.map((one) => `when ${one.when} then ${sentence(one, isPseudonymised)}`).join(" ");

/** What is said of a cell that has no value by `sql`. */
const unless = (key: string, cell: string, sql: string, says: string, column?: string): Misfit => ({
  when: `${cell} is not null and (${sql}) is null`,
  key,
  column,
  cell,
  says,
});

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
  column?: string,
): Judged {
  const entries = Object.entries(values).map(([name, own]) => ({ name, spellings: listOf(own) }));
  const sql = `case ${entries.map(({ name, spellings }) => `when ${isOne(cell, spellings)} then ${as(name)}`).join(" ")} end`;
  const texts = entries.flatMap(({ spellings }) => spellings.flatMap((one) => spelled(one) ?? []));
  const known = texts.slice(0, 20).map((one) => JSON.stringify(one));
  const says = `${text(` is not one of ${known.join(", ")}.`)} || ${nearest(cell, texts)}`;
  return { sql, misfits: [unless(key, cell, sql, says, column)] };
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
    const says = `the cell is an object or a list. Name its id: ${column}.id, or { column: ${column}, field: id }.`;
    return { when: isNested(isField ? sql : columnOf(column)), key, column: text(column), says: text(says) };
  });
  return { sql, misfits: [...nested, ...misfits] };
}

const isEmpty = (key: string, sql: string): Misfit => ({ when: `(${sql}) is null`, key, says: "'the cell is empty.'" });

function required(key: string, { sql, misfits }: Judged): Judged {
  return { sql, misfits: [...misfits, isEmpty(key, sql)] };
}

const truths = {
  true: ["true", "True", "TRUE", "1", "yes", "Yes"],
  false: ["false", "False", "FALSE", "0", "no", "No"],
};

/** True or false; an empty cell is neither. */
function flagAt(key: string, ref: Flag | undefined, columnOf: ColumnOf): Judged {
  if (ref === undefined) return { sql: "null::boolean", misfits: [] };
  const own = typeof ref === "object" && !Array.isArray(ref) ? ref : { column: ref as string };
  const { column, value, values } = own;
  if (column === undefined) return { sql: String(value === "true"), misfits: [] };
  return meaning(key, columnOf(column), values ?? truths, (name) => (name === "true" ? "true" : "false"));
}

/** A finite number, as a double. */
function numberAt(key: string, cell: string, { decimal = "." }: FileSet, column: string): Judged {
  const plain = decimal === "," ? `replace(replace(${cell}, '.', '?'), ',', '.')` : cell;
  const number = `try_cast(${plain} as double)`;
  const sql = `case when isfinite(${number}) and not contains(${cell}, '_') then ${number} end`;
  const other =
    decimal === ","
      ? ""
      : ` || case when regexp_matches(${cell}, '^[+-]?\\d+,\\d+$') then ' If its comma is a decimal sign, state decimal: "," for the file.' else '' end`;
  return { sql, misfits: [unless(key, cell, sql, `' is not a finite number.'${other}`, column)] };
}

const zone = "(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)$";
const zoned = `^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)? ?${zone}`;

/** How a date with or without a time is written that states no zone. */
const unzoned = "^\\d{4}[-/]\\d\\d?[-/]\\d\\d?([T ]\\d\\d?:\\d\\d(:\\d\\d(\\.\\d+)?)?)?$";
/** In microseconds since 1970, the years 1 to 9999: other instants have no four digits of a year. */
const years = { first: -62_135_596_800_000_000n, last: 253_402_300_799_999_999n };

/** SQL for a local time as an instant of a zone; null for one that the zone skips in spring. */
function inZone(local: string, zone: string): string {
  const instant = `timezone(${text(zone)}, ${local})`;
  return `case when timezone(${text(zone)}, ${instant}) = ${local} then ${instant} end`;
}

/** SQL for what a cell says as an instant, in any year. */
function instantSql(time: Time, cell: string): string {
  const { zone: own, unit, format }: Partial<Exclude<Time, string>> = typeof time === "string" ? {} : time;
  if (unit !== undefined) {
    const microseconds = `try_cast(try_cast(${cell} as decimal(24, 6)) * ${unit === "ms" ? 1000 : 1_000_000} as bigint)`;
    return `case when ${microseconds} between ${years.first} and ${years.last} then make_timestamptz(${microseconds}) end`;
  }
  if (format !== undefined) {
    // Without digits are names of instants that the engine knows, such as epoch.
    const read = `case when regexp_matches(${cell}, '\\d') then try_strptime(${cell}, ${text(format)}) end`;
    const statesZone = /%z/i.test(format.replaceAll("%%", ""));
    return statesZone ? read : inZone(read, own ?? "UTC");
  }
  const stated = `case when regexp_matches(upper(${cell}), ${text(zoned)}) then try_cast(upper(${cell}) as timestamptz) end`;
  if (own === undefined) return stated;
  const local = `case when regexp_matches(${cell}, ${text(unzoned)}) then try_cast(${cell} as timestamp) end`;
  return `coalesce(${stated}, ${inZone(local, own)})`;
}

/** @throws UsageError for a zone or a format that the engine does not know; `where` names the key with its line */
export async function checkTime(warehouse: Warehouse, time: Time | undefined, where: string): Promise<void> {
  if (time === undefined || typeof time === "string") return;
  const { zone: own, format } = time;
  const isKnown = (sql: string) =>
    warehouse.all(`select ${sql}`).then(
      () => true,
      () => false,
    );
  if (own !== undefined && !(await isKnown(inZone("timestamp '2000-01-01'", own))))
    throw new UsageError(
      `${where}.zone must be an IANA time zone, for example Europe/Berlin, not ${JSON.stringify(own)}.`,
    );
  if (format !== undefined && !(await isKnown(`try_strptime('1', ${text(format)})`)))
    throw new UsageError(
      `${where}.format must be a format of instants, for example %d/%m/%Y %H:%M, not ${JSON.stringify(format)}.`,
    );
}

/** An instant. */
function instantAt(key: string, time: Time | undefined, columnOf: ColumnOf): Judged {
  if (time === undefined) return { sql: "null::timestamptz", misfits: [] };
  const { column, zone: own, unit, format } = typeof time === "string" ? { column: time } : time;
  const cell = columnOf(column);
  const instant = instantSql(time, cell);
  const sql = `case when epoch_us(${instant}) between ${years.first} and ${years.last} then ${instant} end`;
  const what =
    unit !== undefined
      ? `a number of ${unit}`
      : format !== undefined
        ? `written as ${format}`
        : own === undefined
          ? "an instant with a zone. If all are in one zone, state it, as zone: UTC"
          : `an instant in ${own}`;
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
    return `case when concat(${people.join(", ")}) <> '' then [${text(wholeRecord)}] end`;
  if (key === undefined || key.length === 0) return "null::varchar[]";
  if (key.includes(wholeRecord)) return `[${text(wholeRecord)}]`;
  return `[${key.map((name) => `coalesce(${columnOf(name)}, '')`).join(", ")}]`;
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
          : [{ when: `not json_valid(${meta})`, key: "meta", cell: meta, says: "' is not JSON.'" }],
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

const reasonOf = (reading: Reading, columns: Readonly<Record<string, Judged>>) => {
  const misfits = Object.values(columns).flatMap(({ misfits: own }) => own);
  const { flaw } = reading;
  return `case when ${flaw} is not null then ${flaw} ${casesOf(misfits, reading)} end`;
};

const plain = (columns: Readonly<Record<string, Judged>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, { sql }]) => [name, sql]));

/** The score in a cell. @param column SQL for the name of its column */
function scoreAt(score: RatingList["score"], column: string, cell: string, options: FileSet): Judged {
  const { values, minimum, maximum } = typeof score === "object" ? score : {};
  const key = "score";
  const own =
    values === undefined
      ? numberAt(key, cell, options, column)
      : meaning(key, cell, values, (name) => `${Number(name)}::double`, column);
  const beyond = (sign: string, end: number | undefined, says: string): Misfit[] =>
    end === undefined
      ? []
      : [{ when: `(${own.sql}) ${sign} ${end}`, key, column, cell, says: text(` is ${says} of ${end}.`) }];
  const ends = [...beyond("<", minimum, "below the minimum"), ...beyond(">", maximum, "above the maximum")];
  return { sql: own.sql, misfits: [...own.misfits, ...ends] };
}

/**
 * SQL for the ratings of a wide row, as a list of their item `i`, dimension `d`, score `s` and misfit `m`. One expression
 * goes over lists of all columns: for one expression a column the engine takes the square of the time.
 */
function wideRatings(list: RatingList, wide: readonly WideColumn[], dimension: string, reading: Reading): string {
  const { columnOf, options } = reading;
  const isDimension = list.wide?.dimension === true;
  const own = textAt("item", list.item, columnOf).sql;
  const isOwn = isDimension || list.item !== undefined;
  const itemOf = ({ star, item }: WideColumn) =>
    isDimension || (item === undefined && isOwn) ? own : item === undefined ? text(star) : columnOf(item);
  const lists = [
    wide.map(({ score }) => columnOf(score)),
    wide.map(itemOf),
    wide.map(({ star }) => (isOwn ? text(star) : dimension)),
    wide.map(({ score }) => text(score)),
  ];
  const score = scoreAt(list.score, "cell[4]", "cell[1]", options);
  const misfits = [
    ...score.misfits,
    { ...isEmpty("item", "cell[2]"), when: "cell[1] is not null and cell[2] is null" },
  ];
  const zipped = `list_zip(${lists.map((each) => `[${each.join(", ")}]`).join(", ")})`;
  const judged = `{'i': cell[2], 'd': cell[3], 's': ${score.sql}, 'm': case ${casesOf(misfits, reading)} end}`;
  return `list_transform(${zipped}, lambda cell: ${judged})`;
}

/** SQL for the rows of a list of ratings. A wide row is a rating for each of its columns that has a score. */
export function ratingRows(list: RatingList, wide: readonly WideColumn[], reading: Reading): RowSql {
  const { columnOf, options } = reading;
  const common = commonColumns(list, columnOf);
  const idCell = list.item_id === undefined ? "null::varchar" : columnOf(list.item_id);
  const itemSql = `try_cast(${idCell} as bigint)`;
  const itemId = { sql: itemSql, misfits: [unless("item_id", idCell, itemSql, "' is not an integer.'")] };
  const isSkipped = skipped(list, columnOf);
  if (wide.length === 0) {
    const { score: spec } = list;
    const column = typeof spec === "object" ? (spec.column ?? "") : (spec ?? "");
    const item = required("item", textAt("item", list.item, columnOf));
    const score = scoreAt(spec, text(column), columnOf(column), options);
    const columns = { ...common, item, itemId, score };
    return { isSingle: true, columns: plain(columns), isSkipped, reason: reasonOf(reading, columns) };
  }
  const all = wideRatings(list, wide, common.dimension?.sql ?? "null::varchar", reading);
  const columns = { ...common, itemId, item: textAt("item", list.item, columnOf) };
  const first = `list_filter(${all}, lambda one: one.m is not null)[1].m`;
  const kept = `list_filter(${all}, lambda one: one.s is not null)`;
  return {
    isSingle: false,
    columns: {
      ...plain({ ...common, itemId }),
      item: `list_transform(${kept}, lambda one: one.i)`,
      score: `list_transform(${kept}, lambda one: one.s)`,
      dimension: `list_transform(${kept}, lambda one: one.d)`,
    },
    isSkipped,
    reason: `coalesce(${reasonOf(reading, columns)}, ${first})`,
  };
}

/** SQL for the rows of a list of comparisons: two ratings each, 1 for the winner, 0 for the other, 0.5 for each of a tie. */
export function comparisonRows(list: ComparisonList, reading: Reading): RowSql {
  const { columnOf } = reading;
  const common = commonColumns(list, columnOf);
  const left = required("left", textAt("left", list.left, columnOf));
  const right = required("right", textAt("right", list.right, columnOf));
  const { column, values } = list.winner;
  const winner = required("winner", meaning("winner", columnOf(column), values, text, text(column)));
  const same = {
    sql: "",
    misfits: [
      {
        when: `(${left.sql}) = (${right.sql})`,
        key: "left and right",
        says: `'both are ' || ${quoted(left.sql)} || '.'`,
      },
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
    reason: reasonOf(reading, columns),
  };
}
