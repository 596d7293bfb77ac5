// SQL that reads the rows of a list and says why one does not fit.
import { isSummary, summaryRow, truths } from "../contract/index.js";
import { didYouMean, isMap, sqlText as text, UsageError } from "../platform/index.js";
import {
  hasFieldTwice,
  instantSql,
  inZone,
  isBroken,
  isNested,
  type Warehouse,
} from "../warehouse/index.js";
import type { FileSet } from "./mapping.js";
import {
  asList,
  spelled,
  starRole,
  winnerIn,
  type ComparisonList,
  type Flag,
  type RatingList,
  type Ref,
  type Scalar,
  type Time,
} from "./schema.js";

/** SQL for a column's text. @throws UsageError if there is none of that name. */
type ColumnOf = (name: string) => string;

interface Misfit {
  /** SQL that is true if the value does not fit. */
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

interface Judged {
  readonly sql: string;
  readonly misfits: readonly Misfit[];
}
const fitting = (sql: string): Judged => ({ sql, misfits: [] });

export interface FileReading {
  readonly options: FileSet;
  readonly columnOf: ColumnOf;
  readonly whole: string;
  /** No sentence may quote the files or the mapping: they may name persons. */
  readonly isPseudonymised: boolean;
}

/** For example `score (mos): "x" is not a finite number.` */
export function misfitSentence(
  { key, column, cell, says }: Omit<Misfit, "when">,
  isPseudonymised: boolean,
): string {
  if (isPseudonymised && (cell ?? column) !== undefined)
    return text(`${key}: the value does not fit.`);
  const quote = cell === undefined ? "" : ` || shown_cell(${cell})`;
  const name =
    column === undefined ? text(`${key}: `) : `${text(`${key} (`)} || ${column} || '): '`;
  return `${name}${quote} || ${says}`;
}

export const casesOf = (
  misfits: readonly Misfit[],
  { isPseudonymised }: Pick<FileReading, "isPseudonymised">,
) =>
  misfits.map((one) => `when ${one.when} then ${misfitSentence(one, isPseudonymised)}`).join(" ");

/** For a cell that has no value by `sql`. */
const unless = (key: string, cell: string, sql: string, says: string, column?: string): Misfit => ({
  when: `${cell} is not null and (${sql}) is null`,
  key,
  column,
  cell,
  says,
});

function wholeAt(key: string, column: string | undefined, columnOf: ColumnOf): Judged {
  if (column === undefined) return fitting("null::bigint");
  const cell = columnOf(column);
  const sql = `whole_number(${cell})`;
  return { sql, misfits: [unless(key, cell, sql, "' is not a whole number.'", text(column))] };
}

/** Null stands for an empty cell. */
export function isOne(cell: string, spelling: Scalar | readonly Scalar[]): string {
  const each = asList(spelling).map((one) => {
    const own = spelled(one);
    if (own === null) return `${cell} is null`;
    const number = typeof one === "number" ? ` or try_cast(${cell} as double) = ${one}` : "";
    return `coalesce(${cell} = ${text(own)}${number}, false)`;
  });
  return `(${each.join(" or ")})`;
}

function meaning(
  key: string,
  cell: string,
  values: Readonly<Record<string, Scalar | readonly Scalar[]>>,
  as: (name: string) => string = text,
  column?: string,
): Judged {
  const entries = Object.entries(values).map(([name, own]) => ({ name, spellings: asList(own) }));
  const cases = entries.map(
    ({ name, spellings }) => `when ${isOne(cell, spellings)} then ${as(name)}`,
  );
  const sql = `case ${cases.join(" ")} end`;
  const texts = entries.flatMap(({ spellings }) => spellings.flatMap((one) => spelled(one) ?? []));
  const known = [...new Set(texts)].slice(0, 20).map((one) => JSON.stringify(one));
  const nearest = `nearest_says(${cell}, [${texts.map(text).join(", ")}])`;
  const says = `${text(` is not one of ${known.join(", ")}.`)} || ${nearest}`;
  return { sql, misfits: [unless(key, cell, sql, says, column)] };
}

const repeated = (key: string, cell: string, column?: string): Misfit => ({
  when: hasFieldTwice(cell),
  key,
  column,
  says: "'a field occurs twice.'",
});

/** Of a cell with JSON that paths go into. */
export const brokenCell = (column: string, cell: string): Misfit[] => [
  repeated("cell", cell, text(column)),
  { when: isBroken(cell), key: "cell", column: text(column), cell, says: "' is not JSON.'" },
];

export function textAt(key: string, ref: Ref | undefined, columnOf: ColumnOf): Judged {
  if (ref === undefined) return fitting("null::varchar");
  if (typeof ref === "string") return fitting(columnOf(ref));
  if (Array.isArray(ref))
    return fitting((ref as readonly string[]).map(columnOf).join(" || '/' || "));
  const { column, value, values } = ref;
  if (column === undefined) return fitting(text(value ?? ""));
  const cell = columnOf(column);
  return values === undefined ? fitting(cell) : meaning(key, cell, values);
}

const columnsOfRef = (ref: Ref | undefined): readonly string[] =>
  asList(isMap(ref) ? (ref as { column?: string }).column : (ref as string | undefined));

/** An object is none: it may have an address or a name in it. */
function identifierAt(key: string, ref: Ref | undefined, columnOf: ColumnOf): Judged {
  const { sql, misfits } = textAt(key, ref, columnOf);
  const nested = columnsOfRef(ref).map((column) => {
    const id = `Name its id: ${column}.id; of a list a place: ${column}.0.`;
    const says = `the cell is an object or a list. ${id}`;
    return { when: isNested(columnOf(column)), key, column: text(column), says: text(says) };
  });
  return { sql, misfits: [...nested, ...misfits] };
}

/** A row of means below a table does not fit, unless the mapping says which names count. */
function withSummaries(
  key: string,
  ref: Ref | undefined,
  { only, skip }: Pick<RatingList, "only" | "skip">,
  { sql: cell, misfits }: Judged,
): Judged {
  const [column = ""] = typeof ref === "string" ? [ref] : [];
  if (column === "" || column in { ...only, ...skip }) return { sql: cell, misfits };
  const says =
    " names a summary of other rows. State which names do not count, for example skip: " +
    `{ ${column}: [Mean, SD] }.`;
  const when = `regexp_matches(${cell}, ${text(summaryRow)})`;
  return { sql: cell, misfits: [...misfits, { when, key, cell, says: text(says) }] };
}

const itemAt = (list: RatingList, columnOf: ColumnOf) =>
  withSummaries("item", list.item, list, textAt("item", list.item, columnOf));

function requiredColumn(key: string, { sql, misfits }: Judged): Judged {
  const empty = { when: `(${sql}) is null`, key, says: "'the cell is empty.'" };
  return { sql, misfits: [...misfits, empty] };
}

function flagAt(key: string, ref: Flag | undefined, columnOf: ColumnOf): Judged {
  if (ref === undefined) return fitting("null::boolean");
  const { values, ...own } = isMap(ref) ? ref : {};
  const { sql: cell } = textAt(key, isMap(ref) ? own : ref, columnOf);
  const spelling = values === undefined ? `in_one_case(${cell})` : cell;
  return meaning(key, spelling, values ?? truths, String);
}

function numberAt(key: string, cell: string, { decimal = "." }: FileSet, column: string): Judged {
  const plain = decimal === "," ? `with_decimal_point(${cell})` : cell;
  const sql = `number_of(${plain})`;
  const says = `' is not a finite number.'${decimal === "," ? "" : ` || no_number_says(${cell})`}`;
  const inexact = {
    when: `is_inexact(${plain})`,
    key,
    column,
    cell,
    says: text(` is no double: whole numbers are exact up to ${2 ** 53}.`),
  };
  return { sql, misfits: [unless(key, cell, sql, says, column), inexact] };
}

/** @throws UsageError for a zone or a format that the engine does not know. */
export async function checkTime(
  warehouse: Warehouse,
  time: Time | undefined,
  where: string,
): Promise<void> {
  if (time === undefined || typeof time === "string") return;
  const { zone = "UTC", format = "%Y" } = time;
  const known = {
    zone: [
      zone,
      inZone("timestamp '2000-01-01'", zone),
      "an IANA time zone, for example Europe/Berlin",
    ],
    format: [
      format,
      `try_strptime('1', ${text(format)})`,
      "a format of instants, for example %d/%m/%Y %H:%M",
    ],
  } as const;
  for (const [key, [own, sql, needs]] of Object.entries(known))
    await warehouse.all(`select ${sql}`).catch((error: unknown) => {
      const says = `${where}.${key} must be ${needs}, not ${JSON.stringify(own)}.`;
      throw new UsageError(says, { cause: error });
    });
}

function instantAt(key: string, time: Time | undefined, columnOf: ColumnOf): Judged {
  if (time === undefined) return fitting("null::timestamptz");
  const { column, zone: own, unit, format } = typeof time === "string" ? { column: time } : time;
  const cell = columnOf(column);
  const sql = instantSql({ zone: own, unit, format }, cell);
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

export interface RowSql {
  /** Name to SQL. Of a comparison `item`, `score` and `dimension` are lists of two. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL: the row is left out on purpose. */
  readonly isSkipped: string;
  /** SQL: why a row is in quarantine, or null. */
  readonly reason: string;
  /** SQL of the cell of each record that has its score, and its column. */
  readonly score?: { readonly column: string; readonly cell: string } | undefined;
  readonly wide?: WideSql | undefined;
}

export interface WideSql {
  /** SQL: a list of the cells that are not empty, each with its column and what `*` is. */
  readonly cells: string;
  /** Name to SQL of a `cell`. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL: why a `cell` is in quarantine, or null. */
  readonly reason: string;
}

interface WideColumn {
  readonly star: string;
  readonly score: string;
}

const namedColumns = (list: RatingList): string[] => {
  const refs = {
    ...list,
    wide: undefined,
    from: undefined,
    direction: undefined,
    order: undefined,
  };
  return Object.values(refs).flatMap((ref) => columnsOfRef(ref as Ref));
};

export function wideColumns(
  list: RatingList,
  columns: readonly string[],
  where: string,
): WideColumn[] {
  const { wide } = list;
  if (wide === undefined) return [];
  const others = new Set(namedColumns(list));
  const patterns = asList(wide.score).map((pattern) => {
    const [begins = "", ends] = pattern.split("*");
    return { pattern, begins, ends };
  });
  const starOf = ({ pattern, begins, ends }: (typeof patterns)[number], name: string) => {
    if (ends === undefined) return name === pattern ? name : undefined;
    const isLong = name.length > begins.length + ends.length && !others.has(name);
    return isLong && name.startsWith(begins) && name.endsWith(ends)
      ? name.slice(begins.length, name.length - ends.length)
      : undefined;
  };
  const isPath = (name: string) => columns.some((one) => name.startsWith(`${one}.`));
  const paths = asList(wide.score).filter(
    (name) => !name.includes("*") && !columns.includes(name) && isPath(name),
  );
  const all = [...columns, ...paths];
  const none = patterns.find((one) => all.every((name) => starOf(one, name) === undefined));
  if (none !== undefined)
    throw new UsageError(
      `${where}: no column matches ${none.pattern}.${didYouMean(none.pattern, columns)} ` +
        `There are ${columns.join(", ")}.`,
    );
  return all.flatMap((name) => {
    const [star] = patterns.flatMap((one) => starOf(one, name) ?? []);
    if (star === undefined) return [];
    if (!asList(wide.score).includes(name) && isSummary(star))
      throw new UsageError(
        `${where}: wide.score matches ${name}, which names a summary of other columns. ` +
          "List the columns with scores, for example score: [s1, s2].",
      );
    return [{ star, score: name }];
  });
}

export const wholeRecord = "*";

/** By default all cells where a column says who rated: equal records of nobody may differ. */
function keyAt(
  list: RatingList | ComparisonList,
  { columnOf, whole }: Pick<FileReading, "columnOf" | "whole">,
): string {
  const { key, rater, session } = list;
  const isRaterNamed = "wide" in list && starRole(list) === "rater";
  if (key === undefined && isRaterNamed) return `[${whole}]`;
  const people = [...columnsOfRef(rater), ...columnsOfRef(session)].map(columnOf);
  if (key === undefined && people.length > 0)
    return `case when concat(${people.join(", ")}) <> '' then [${whole}] end`;
  if (key === undefined || key.length === 0) return "null::varchar[]";
  if (key.includes(wholeRecord)) return `[${whole}]`;
  return `[${key.map((name) => `coalesce(${columnOf(name)}, '')`).join(", ")}]`;
}

function commonColumns(
  list: RatingList | ComparisonList,
  reading: FileReading,
): Record<string, Judged> {
  const { columnOf, options } = reading;
  const session =
    list.order === "row"
      ? fitting("'all'")
      : identifierAt("session", list.session ?? list.rater, columnOf);
  const stated = (key: "slate" | "prompt", at: typeof textAt) => {
    const own = at(key, list[key], columnOf);
    return list[key] === undefined ? own : requiredColumn(key, own);
  };
  const meta = list.meta === undefined ? "null::varchar" : columnOf(list.meta);
  return {
    key: fitting(keyAt(list, reading)),
    rater: withSummaries("rater", list.rater, list, identifierAt("rater", list.rater, columnOf)),
    session:
      list.session === undefined
        ? { ...session, sql: `coalesce(${session.sql}, 'all')` }
        : requiredColumn("session", session),
    job: identifierAt("job", list.job, columnOf),
    slate: stated("slate", identifierAt),
    prompt: stated("prompt", textAt),
    dimension: textAt("dimension", list.dimension, columnOf),
    training: flagAt("training", list.training, columnOf),
    correct: flagAt("correct", list.correct, columnOf),
    meta: {
      sql: meta,
      misfits:
        list.meta === undefined
          ? []
          : [
              { when: `not json_valid(${meta})`, key: "meta", cell: meta, says: "' is not JSON.'" },
              repeated("meta", meta),
            ],
    },
    time: instantAt("time", list.time, columnOf),
    started: instantAt("started", list.started, columnOf),
    completed: instantAt("completed", list.completed, columnOf),
    count: countAt(list.count, columnOf),
    weight: weightAt("weight" in list ? list.weight : undefined, columnOf, options),
    covariates: covariatesAt("covariates" in list ? list.covariates : undefined, columnOf, options),
  };
}

function skipped(
  { only = {}, skip = {}, count }: RatingList | ComparisonList,
  columnOf: ColumnOf,
): string {
  const conditions = [
    ...(count === undefined ? [] : [`coalesce(whole_number(${columnOf(count)}) = 0, false)`]),
    ...Object.entries(only).map(([name, spellings]) => `not ${isOne(columnOf(name), spellings)}`),
    ...Object.entries(skip).map(([name, spellings]) => isOne(columnOf(name), spellings)),
  ];
  return conditions.join(" or ") || "false";
}

const reasonOf = (reading: FileReading, columns: Readonly<Record<string, Judged>>) => {
  const misfits = Object.values(columns).flatMap(({ misfits: own }) => own);
  return misfits.length === 0 ? "null::varchar" : `case ${casesOf(misfits, reading)} end`;
};

const sqlOfColumns = (columns: Readonly<Record<string, Judged>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, { sql }]) => [name, sql]));

const numberIn = (
  key: string,
  values: Parameters<typeof meaning>[2] | undefined,
  column: string,
  cell: string,
  options: FileSet,
): Judged =>
  values === undefined
    ? numberAt(key, cell, options, column)
    : meaning(key, cell, values, (name) => `${Number(name)}::double`, column);

/** With what is said of a value beyond each of the bounds. */
const bounded = (
  of: Pick<Misfit, "key" | "column" | "cell">,
  { sql, misfits }: Judged,
  bounds: readonly (readonly [sign: string, end: number | undefined, says: string])[],
): Judged => ({
  sql,
  misfits: [
    ...misfits,
    ...bounds
      .filter(([, end]) => end !== undefined)
      .map(([sign, end, says]) => ({
        ...of,
        when: `(${sql}) ${sign} ${end}`,
        says: text(` is ${says} ${end}.`),
      })),
  ],
});

function scoreAt(
  score: RatingList["score"],
  column: string,
  cell: string,
  options: FileSet,
): Judged {
  const { values, minimum, maximum } = typeof score === "object" ? score : {};
  return bounded({ key: "score", column, cell }, numberIn("score", values, column, cell, options), [
    ["<", minimum, "below the minimum of"],
    [">", maximum, "above the maximum of"],
  ]);
}

function countAt(count: RatingList["count"], columnOf: ColumnOf): Judged {
  const whole = wholeAt("count", count, columnOf);
  if (count === undefined) return whole;
  const of = { key: "count", column: text(count), cell: columnOf(count) };
  return bounded(of, requiredColumn("count", whole), [["<", 0, "below"]]);
}

function weightAt(weight: ComparisonList["weight"], columnOf: ColumnOf, options: FileSet): Judged {
  if (weight === undefined) return fitting("null::double");
  const { column, values } = typeof weight === "string" ? { column: weight } : weight;
  const of = { key: "weight", column: text(column), cell: columnOf(column) };
  const own = requiredColumn(of.key, numberIn(of.key, values, of.column, of.cell, options));
  return bounded(of, own, [["<=", 0, "not above"]]);
}

/** By name: the value of the left item less that of the right one. */
function covariatesAt(
  covariates: ComparisonList["covariates"],
  columnOf: ColumnOf,
  options: FileSet,
): Judged {
  if (covariates === undefined) return fitting("null::json");
  const each = covariates.map((name) => {
    const number = numberAt("covariates", columnOf(name), options, text(name));
    const { sql, misfits } = requiredColumn("covariates", number);
    return { sql: `${text(name)}, ${sql}`, misfits };
  });
  return {
    sql: `json_object(${each.map(({ sql }) => sql).join(", ")})`,
    misfits: each.flatMap(({ misfits }) => misfits),
  };
}

/** One expression goes over the cells: one a column takes the engine the square of the time. */
export function ratingRows(
  list: RatingList,
  wide: readonly WideColumn[],
  reading: FileReading,
): RowSql {
  const { columnOf, options } = reading;
  const common = commonColumns(list, reading);
  const itemId = wholeAt("item_id", list.item_id, columnOf);
  const isSkipped = skipped(list, columnOf);
  const item = requiredColumn("item", itemAt(list, columnOf));
  const { score: spec } = list;
  const isWide = wide.length > 0;
  const role = isWide ? starRole(list) : "none";
  const column = typeof spec === "object" ? (spec.column ?? "") : (spec ?? "");
  const cell = isWide ? "cell[1]" : columnOf(column);
  const score = scoreAt(spec, isWide ? "cell[2]" : text(column), cell, options);
  const columns = {
    ...common,
    itemId,
    ...(role !== "item" && { item }),
    ...(!isWide && { score }),
  };
  const lists = [
    wide.map((one) => columnOf(one.score)),
    wide.map((one) => text(one.score)),
    wide.map(({ star }) => text(star)),
  ];
  const zipped = `list_zip(${lists.map((each) => `[${each.join(", ")}]`).join(", ")})`;
  return {
    columns: sqlOfColumns(columns),
    isSkipped,
    reason: reasonOf(reading, columns),
    score: isWide ? undefined : { column, cell },
    wide: isWide
      ? {
          cells: `list_filter(${zipped}, lambda cell: cell[1] is not null)`,
          columns: {
            score: score.sql,
            ...(role !== "none" && { [role]: "cell[3]" }),
            ...(role === "rater" && list.session === undefined && { session: "cell[3]" }),
          },
          reason: reasonOf(reading, { score }),
        }
      : undefined,
  };
}

/** @param left, right SQL of the items' names */
function winnerOf(
  winner: ComparisonList["winner"],
  columnOf: ColumnOf,
  left: string,
  right: string,
): Judged {
  const { column, values = {} } = winnerIn(winner);
  const cell = columnOf(column);
  if (values.left !== undefined) {
    const { sql, misfits } = meaning("winner", cell, values, text, text(column));
    const hint = text(` It is the name of an item: state winner: ${column}.`);
    const isItem = `coalesce(${cell} in (${left}, ${right}), false)`;
    const says = (own: string) => `${own} || case when ${isItem} then ${hint} else '' end`;
    return { sql, misfits: misfits.map((one) => ({ ...one, says: says(one.says) })) };
  }
  const { tie = [] } = values;
  const texts = asList(tie).flatMap((one) => spelled(one) ?? []);
  const isTie = [
    asList(tie).length === 0 ? "false" : isOne(cell, tie),
    ...texts.map((one) => `in_one_case(${cell}) = in_one_case(${text(one)})`),
  ].join(" or ");
  const parts = `${cell}, ${isTie}, ${left}, ${right}`;
  const sql = `winner_named(${parts})`;
  const ties = asList(tie).map((one) => (one === null ? "an empty cell" : JSON.stringify(one)));
  const others = text(ties.length === 0 ? "." : `, nor one of ${ties.join(", ")}.`);
  const says = `winner_says(${parts}, ${others})`;
  return { sql, misfits: [unless("winner", cell, sql, says, text(column))] };
}

/** Two ratings each: 1 for the winner, 0 for the other, 0.5 for each of a tie. */
export function comparisonRows(list: ComparisonList, reading: FileReading): RowSql {
  const { columnOf } = reading;
  const common = commonColumns(list, reading);
  const left = requiredColumn("left", textAt("left", list.left, columnOf));
  const right = requiredColumn("right", textAt("right", list.right, columnOf));
  const winner = requiredColumn("winner", winnerOf(list.winner, columnOf, left.sql, right.sql));
  const columns = { ...common, left, right, winner };
  const dimension = common.dimension?.sql ?? "null::varchar";
  return {
    columns: {
      ...sqlOfColumns(common),
      itemId: "null::bigint",
      item: `[${left.sql}, ${right.sql}]`,
      score: `scores_of(${winner.sql})`,
      dimension: `[${dimension}, ${dimension}]`,
    },
    isSkipped: skipped(list, columnOf),
    reason: reasonOf(reading, columns),
  };
}
