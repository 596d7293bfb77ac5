// SQL that reads the rows of a list and says why one does not fit.
import { isSummary, summaryRow, truths, usualMarks } from "../contract/index.js";
import { didYouMean, groupsOf, sqlText as text, UsageError } from "../platform/index.js";
import {
  hasFieldTwice,
  instantSql,
  inZone,
  isBroken,
  isNested,
  nestedIn,
  textAtPath,
  type Warehouse,
} from "../warehouse/index.js";
import type { FileSet } from "./mapping.js";
import {
  asList,
  spelled,
  starRoles,
  type ComparisonList,
  type Flag,
  type Mark,
  type RatingList,
  type Ref,
  type Scalar,
  type StarRole,
  type Time,
} from "./schema.js";

/** SQL for a column's text. @throws UsageError if there is none of that name. */
type ColumnOf = (name: string) => string;

export interface Misfit {
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

export interface FileReading {
  readonly options: FileSet;
  readonly columnOf: ColumnOf;
  /** SQL of a text that only equal records share. */
  readonly whole: string;
  /** No sentence may quote the files or the mapping: they may name persons. */
  readonly isPseudonymised: boolean;
}

const quotedCell = (cell: string) => `to_json(left(${cell}, 80))::varchar`;

/** For example `score (mos): "x" is not a finite number.` */
export function misfitSentence(
  { key, column, cell, says }: Omit<Misfit, "when">,
  isPseudonymised: boolean,
): string {
  if (isPseudonymised && (cell ?? column) !== undefined)
    return text(`${key}: the value does not fit.`);
  const quote = cell === undefined ? "" : ` || ${quotedCell(cell)}`;
  const name =
    column === undefined ? text(`${key}: `) : `${text(`${key} (`)} || ${column} || '): '`;
  return `${name}${quote} || ${says}`;
}

/** For `case`: the first sentence that applies. */
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

/** Null stands for an empty cell. */
export function isOne(cell: string, spelling: Scalar | readonly Scalar[]): string {
  const spellings = asList(spelling);
  const texts = spellings.map(spelled).filter((one) => one !== null);
  const numbers = spellings.filter((one) => typeof one === "number");
  const some = [
    ...(texts.length === 0 ? [] : [`coalesce(${cell} in (${texts.map(text).join(", ")}), false)`]),
    ...(numbers.length === 0
      ? []
      : [`coalesce(try_cast(${cell} as double) in (${numbers.join(", ")}), false)`]),
  ].join(" or ");
  return `(${[
    ...(spellings.includes(null) ? [`${cell} is null`] : []),
    ...(some === "" ? [] : [some]),
  ].join(" or ")})`;
}

function nearestSpelling(cell: string, texts: readonly string[]): string {
  const each =
    `list_transform([${texts.map(text).join(", ")}], lambda one: {'d': ` +
    `levenshtein(lower(one), lower(${cell})), 't': one})`;
  return `' The nearest is ' || to_json((list_sort(${each})[1]).t)::varchar || '.'`;
}

function meaning(
  key: string,
  cell: string,
  values: Readonly<Record<string, Scalar | readonly Scalar[]>>,
  as: (name: string) => string = text,
  column?: string,
): Judged {
  const entries = Object.entries(values).map(([name, own]) => ({ name, spellings: asList(own) }));
  const sql =
    "case " +
    `${entries
      .map(({ name, spellings }) => `when ${isOne(cell, spellings)} then ${as(name)}`)
      .join(" ")} ` +
    "end";
  const texts = entries.flatMap(({ spellings }) => spellings.flatMap((one) => spelled(one) ?? []));
  const known = [...new Set(texts)].slice(0, 20).map((one) => JSON.stringify(one));
  const says = `${text(` is not one of ${known.join(", ")}.`)} || ${nearestSpelling(cell, texts)}`;
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
  if (ref === undefined) return { sql: "null::varchar", misfits: [] };
  if (typeof ref === "string") return { sql: columnOf(ref), misfits: [] };
  if (Array.isArray(ref))
    return { sql: (ref as readonly string[]).map(columnOf).join(" || '/' || "), misfits: [] };
  const { column, value, values, field } = ref;
  if (column === undefined) return { sql: text(value ?? ""), misfits: [] };
  const cell = columnOf(column);
  if (values !== undefined) return meaning(key, cell, values);
  if (field === undefined) return { sql: cell, misfits: [] };
  const own = textAtPath({ json: nestedIn(cell), names: [field] });
  return { sql: `coalesce(${own}, ${cell})`, misfits: [repeated(key, cell)] };
}

const isPlainRef = (ref: Ref | undefined) => typeof ref !== "object" || Array.isArray(ref);

const columnsOfRef = (ref: Ref | undefined): readonly string[] =>
  asList(
    isPlainRef(ref)
      ? (ref as string | readonly string[] | undefined)
      : (ref as { column?: string }).column,
  );

/** An object is none: it may have an address or a name in it. */
function identifierAt(key: string, ref: Ref | undefined, columnOf: ColumnOf): Judged {
  const { sql, misfits } = textAt(key, ref, columnOf);
  const isField = !isPlainRef(ref) && (ref as { field?: string }).field !== undefined;
  const nested = columnsOfRef(ref).map((column) => {
    const says =
      `the cell is an object or a list. Name its id: ${column}.id, or { column: ${column}, ` +
      `field: id }; of a list a place: ${column}.0.`;
    return {
      when: isNested(isField ? sql : columnOf(column)),
      key,
      column: text(column),
      says: text(says),
    };
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

const isEmpty = (key: string, sql: string): Misfit => ({
  when: `(${sql}) is null`,
  key,
  says: "'the cell is empty.'",
});

function requiredColumn(key: string, { sql, misfits }: Judged): Judged {
  return { sql, misfits: [...misfits, isEmpty(key, sql)] };
}

const inOneCase = (sql: string) => `nullif(lower(trim(${sql})), '')`;

/** An empty cell is neither true nor false. */
function flagAt(key: string, ref: Flag | undefined, columnOf: ColumnOf): Judged {
  if (ref === undefined) return { sql: "null::boolean", misfits: [] };
  const own = typeof ref === "object" && !Array.isArray(ref) ? ref : { column: ref as string };
  const { column, value, values } = own;
  if (column === undefined) return { sql: String(value === "true"), misfits: [] };
  const cell = columnOf(column);
  return meaning(key, values === undefined ? inOneCase(cell) : cell, values ?? truths, (name) =>
    name === "true" ? "true" : "false",
  );
}

function numberAt(key: string, cell: string, { decimal = "." }: FileSet, column: string): Judged {
  const plain = decimal === "," ? `replace(replace(${cell}, '.', '?'), ',', '.')` : cell;
  const number = `try_cast(${plain} as double)`;
  const sql = `case when isfinite(${number}) and not contains(${cell}, '_') then ${number} end`;
  const isGrouped = `regexp_matches(${cell}, '^[+-]?\\d{1,3}(,\\d{3})+$')`;
  const other =
    decimal === ","
      ? ""
      : ` || case when regexp_matches(${cell}, '^[+-]?[\\d,]*,\\d+$') then ` +
        `case when ${isGrouped} then ' If its comma separates thousands, take it out.' else '' ` +
        `end || ' If its comma is a decimal sign, state decimal: "," for the file.' when not ` +
        `regexp_matches(${cell}, '\\d') then ' If it means a number, state values: { 5: ' || ` +
        `to_json([left(${cell}, 80)])::varchar || ' }; if none, missing for the file.' else '' end`;
  const isWhole = `regexp_matches(${plain}, '^\\s*[+-]?\\d{16,}(\\.0*)?\\s*$')`;
  const inexact = {
    when:
      `${isWhole} and try_cast(${plain} as hugeint) is distinct from ` +
      `try_cast(${number} as hugeint)`,
    key,
    column,
    cell,
    says: text(` is no double: whole numbers are exact up to ${2 ** 53}.`),
  };
  return {
    sql,
    misfits: [unless(key, cell, sql, `' is not a finite number.'${other}`, column), inexact],
  };
}

/**
 * @throws UsageError for a zone or a format that the engine does not know; `where` names the key
 * with its line
 */
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
  if (time === undefined) return { sql: "null::timestamptz", misfits: [] };
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
  /**
   * Each row is one rating. Otherwise `item`, `score` and `dimension` are lists of equal length.
   */
  readonly isSingle: boolean;
  /** Other columns that are lists: of the raters, sessions or slates of the ratings. */
  readonly spread?: readonly string[];
  /** Name to SQL. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL: the row is left out on purpose. */
  readonly isSkipped: string;
  /** SQL: why a row is in quarantine, or null. */
  readonly reason: string;
  readonly scores?: readonly ScoreCells[];
}

/** A row has the score in one of them. */
interface ScoreCells {
  readonly columns: readonly string[];
  readonly cells: readonly string[];
}

/** A wide list takes it apart. */
export interface WideColumn {
  /** What the name says by `*`. */
  readonly stars: Readonly<Partial<Record<StarRole, string>>>;
  readonly score: string;
  readonly item: string | undefined;
}

const escaped = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Not scores, whatever a pattern says. */
const namedColumns = ({ wide, ...list }: RatingList): (string | undefined)[] => {
  const refs = { ...list, from: undefined, direction: undefined, order: undefined };
  return [...Object.values(refs).flatMap((ref) => columnsOfRef(ref as Ref)), wide?.item];
};

/** In their order. @throws UsageError if there are none. */
export function wideColumns(
  list: RatingList,
  columns: readonly string[],
  where: string,
): WideColumn[] {
  const { wide } = list;
  if (wide === undefined) return [];
  const roles = starRoles(list);
  const others = new Set(namedColumns(list));
  const patterns = asList(wide.score).map((pattern) => {
    // Each `*` but the last is as short as it can be.
    const source = pattern.split("*").map(escaped).join("(.+?)");
    return { pattern, fits: new RegExp(`^${source}$`, "s") };
  });
  const starsOf = ({ pattern, fits }: (typeof patterns)[number], name: string) => {
    if (!pattern.includes("*")) return name === pattern ? [name] : undefined;
    return others.has(name) ? undefined : fits.exec(name)?.slice(1);
  };
  const isPath = (name: string) => columns.some((one) => name.startsWith(`${one}.`));
  const paths = asList(wide.score).filter(
    (name) => !name.includes("*") && !columns.includes(name) && isPath(name),
  );
  const all = [...columns, ...paths];
  const none = patterns.find((one) => all.every((name) => starsOf(one, name) === undefined));
  if (none !== undefined)
    throw new UsageError(
      `${where}: no column matches ${none.pattern}.${didYouMean(none.pattern, columns)} ` +
        `There are ${columns.join(", ")}.`,
    );
  return all.flatMap((name) => {
    const [found] = patterns.flatMap((one) => {
      const texts = starsOf(one, name);
      return texts === undefined ? [] : [texts];
    });
    if (found === undefined) return [];
    const isNamed = asList(wide.score).includes(name);
    if (!isNamed && found.some(isSummary))
      throw new UsageError(
        `${where}: wide.score matches ${name}, which names a summary of other columns. ` +
          "List the columns with scores, for example score: [s1, s2].",
      );
    const stars = [...groupsOf([...roles.entries()], ([, role]) => role)].map(
      ([role, own]) => [role, own.map(([i]) => found[i]).join("/")] as const,
    );
    let star = 0;
    const item = wide.item?.replaceAll("*", () => found[star++] ?? "");
    return [{ stars: Object.fromEntries(stars), score: name, item }];
  });
}

export const wholeRecord = "*";

/**
 * No two records of a list share it; by default all cells, where a column says who rated, since
 * equal records of nobody may be different ones.
 */
function keyAt(
  list: RatingList | ComparisonList,
  { columnOf, whole }: Pick<FileReading, "columnOf" | "whole">,
): string {
  const { key, rater, session } = list;
  const isRaterNamed = "wide" in list && starRoles(list).includes("rater");
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
      ? { sql: "'all'", misfits: [] }
      : identifierAt("session", list.session ?? list.rater, columnOf);
  const stated = (key: "slate" | "prompt", at: typeof textAt) => {
    const own = at(key, list[key], columnOf);
    return list[key] === undefined ? own : requiredColumn(key, own);
  };
  const meta = list.meta === undefined ? "null::varchar" : columnOf(list.meta);
  return {
    key: { sql: keyAt(list, reading), misfits: [] },
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
    weight: weightAt("weight" in list ? list.weight : undefined, columnOf, options),
    covariates: covariatesAt("covariates" in list ? list.covariates : undefined, columnOf, options),
  };
}

function skipped(
  { only = {}, skip = {} }: RatingList | ComparisonList,
  columnOf: ColumnOf,
): string {
  const conditions = [
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

const beyondEnd = (
  of: Pick<Misfit, "key" | "column" | "cell">,
  { sql }: Judged,
  sign: string,
  end: number,
  says: string,
): Misfit => ({ ...of, when: `(${sql}) ${sign} ${end}`, says });

function scoreAt(
  score: RatingList["score"],
  column: string,
  cell: string,
  options: FileSet,
): Judged {
  const { values, minimum, maximum } = typeof score === "object" ? score : {};
  const key = "score";
  const own = numberIn(key, values, column, cell, options);
  const beyond = (sign: string, end: number | undefined, says: string) =>
    end === undefined ? [] : [beyondEnd({ key, column, cell }, own, sign, end, text(says))];
  const ends = [
    ...beyond("<", minimum, ` is below the minimum of ${minimum}.`),
    ...beyond(">", maximum, ` is above the maximum of ${maximum}.`),
  ];
  return { sql: own.sql, misfits: [...own.misfits, ...ends] };
}

function weightAt(weight: ComparisonList["weight"], columnOf: ColumnOf, options: FileSet): Judged {
  if (weight === undefined) return { sql: "null::double", misfits: [] };
  const { column, values } = typeof weight === "string" ? { column: weight } : weight;
  const of = { key: "weight", column: text(column), cell: columnOf(column) };
  const own = requiredColumn(of.key, numberIn(of.key, values, of.column, of.cell, options));
  const low = beyondEnd(of, own, "<=", 0, "' is not above 0.'");
  return { sql: own.sql, misfits: [...own.misfits, low] };
}

/** By name: the value of the left item less that of the right one. */
function covariatesAt(
  covariates: ComparisonList["covariates"],
  columnOf: ColumnOf,
  options: FileSet,
): Judged {
  if (covariates === undefined) return { sql: "null::json", misfits: [] };
  const each = Object.entries(covariates).map(([name, given]) => {
    const { left, right, as } =
      typeof given === "string" ? { left: given, right: undefined, as: undefined } : given;
    const numbers = [left, ...(right === undefined ? [] : [right])].map((column) =>
      requiredColumn("covariates", numberAt("covariates", columnOf(column), options, text(column))),
    );
    const [x = "", y] = numbers.map(({ sql }) => sql);
    const difference = y === undefined ? x : `(${x}) - (${y})`;
    const whole = as === "difference" || y === undefined ? "1" : `(${x}) + (${y})`;
    return {
      sql: `${text(name)}, coalesce((${difference}) / nullif(${whole}, 0), 0.0)`,
      misfits: numbers.flatMap(({ misfits }) => misfits),
    };
  });
  return {
    sql: `json_object(${each.map(({ sql }) => sql).join(", ")})`,
    misfits: each.flatMap(({ misfits }) => misfits),
  };
}

/** A list or an object that other columns go into is no score itself. */
function scoreCell(name: string, wide: readonly WideColumn[], columnOf: ColumnOf): string {
  const cell = columnOf(name);
  const isHolder = wide.some(({ score }) => score.startsWith(`${name}.`));
  return isHolder ? `case when not ${isNested(cell)} then ${cell} end` : cell;
}

/** Columns of the same `*` are of one score. */
const wideScores = (wide: readonly WideColumn[], columnOf: ColumnOf): ScoreCells[] =>
  [
    ...groupsOf(wide, ({ stars, item }) => JSON.stringify([{ ...stars, none: 0 }, item])).values(),
  ].map((own) => ({
    columns: own.map(({ score }) => score),
    cells: own.map(({ score }) => scoreCell(score, wide, columnOf)),
  }));

/**
 * A list of item `i`, dimension `d`, rater `r`, slate `l`, score `s` and misfit `m`. One expression
 * goes over lists of all columns: for one expression a column the engine takes the square of the
 * time.
 */
function wideRatings(
  list: RatingList,
  wide: readonly WideColumn[],
  dimension: string,
  reading: FileReading,
): string {
  const { columnOf, options } = reading;
  const own = textAt("item", list.item, columnOf).sql;
  const itemOf = ({ stars, item }: WideColumn) =>
    stars.item !== undefined ? text(stars.item) : item === undefined ? own : columnOf(item);
  const lists = [
    wide.map(({ score }) => scoreCell(score, wide, columnOf)),
    wide.map(itemOf),
    wide.map(({ stars }) => (stars.dimension === undefined ? dimension : text(stars.dimension))),
    wide.map(({ score }) => text(score)),
    wide.map(({ stars }) => text(stars.rater ?? "")),
    wide.map(({ stars }) => text(stars.slate ?? "")),
  ];
  const score = scoreAt(list.score, "cell[4]", "cell[1]", options);
  const misfits = [
    ...score.misfits,
    { ...isEmpty("item", "cell[2]"), when: "cell[1] is not null and cell[2] is null" },
  ];
  const zipped = `list_zip(${lists.map((each) => `[${each.join(", ")}]`).join(", ")})`;
  const judged =
    `{'i': cell[2], 'd': cell[3], 'r': cell[5], 'l': cell[6], 's': ${score.sql}, 'm': case ` +
    `${casesOf(misfits, reading)} end}`;
  return `list_transform(${zipped}, lambda cell: ${judged})`;
}

/** A wide row is a rating for each of its columns that has a score. */
export function ratingRows(
  list: RatingList,
  wide: readonly WideColumn[],
  reading: FileReading,
): RowSql {
  const { columnOf, options } = reading;
  const common = commonColumns(list, reading);
  const idCell = list.item_id === undefined ? "null::varchar" : columnOf(list.item_id);
  const itemSql =
    `case when regexp_matches(${idCell}, '^\\s*[+-]?\\d+(\\.0*)?\\s*$') then ` +
    `try_cast(${idCell} as bigint) end`;
  const itemId = {
    sql: itemSql,
    misfits: [unless("item_id", idCell, itemSql, "' is not an integer.'")],
  };
  const isSkipped = skipped(list, columnOf);
  if (wide.length === 0) {
    const { score: spec } = list;
    const column = typeof spec === "object" ? (spec.column ?? "") : (spec ?? "");
    const item = requiredColumn("item", itemAt(list, columnOf));
    const score = scoreAt(spec, text(column), columnOf(column), options);
    const columns = { ...common, item, itemId, score };
    return {
      isSingle: true,
      columns: sqlOfColumns(columns),
      isSkipped,
      reason: reasonOf(reading, columns),
      scores: [{ columns: [column], cells: [columnOf(column)] }],
    };
  }
  const all = wideRatings(list, wide, common.dimension?.sql ?? "null::varchar", reading);
  const columns = { ...common, itemId, item: itemAt(list, columnOf) };
  const first = `list_filter(${all}, lambda one: one.m is not null)[1].m`;
  const kept = `list_filter(${all}, lambda one: one.s is not null)`;
  const roles = starRoles(list);
  const each = (field: string) => `list_transform(${kept}, lambda one: one.${field})`;
  const spread: Record<string, string> = {
    ...(roles.includes("rater") && { rater: each("r") }),
    ...(roles.includes("rater") && list.session === undefined && { session: each("r") }),
    ...(roles.includes("slate") && { slate: each("l") }),
  };
  return {
    isSingle: false,
    spread: Object.keys(spread),
    columns: {
      ...sqlOfColumns({ ...common, itemId }),
      item: each("i"),
      score: each("s"),
      dimension: each("d"),
      ...spread,
    },
    isSkipped,
    reason: `coalesce(${reasonOf(reading, columns)}, ${first})`,
    scores: wideScores(wide, columnOf),
  };
}

/** Both sides by half are a tie. */
function sideMarked(
  { left, right, tie }: NonNullable<ComparisonList["winner"]["columns"]>,
  columnOf: ColumnOf,
): Judged {
  const markAt = (mark: Mark): Judged => {
    const { column, values } = typeof mark === "string" ? { column: mark } : mark;
    const cell = values === undefined ? inOneCase(columnOf(mark as string)) : columnOf(column);
    const own = values === undefined ? usualMarks : { ...values, false: values.false ?? null };
    const worth: Readonly<Record<string, string>> = { true: "1.0", half: "0.5" };
    return meaning("winner", cell, own, (name) => worth[name] ?? "0.0", text(column));
  };
  const sides = { left: [left], right: [right], tie: asList(tie) };
  const each = Object.entries(sides).flatMap(([side, own]) =>
    own.map((mark) => ({ side, ...markAt(mark) })),
  );
  // Each mark is spelled out once: the engine takes seconds to plan a query that repeats them.
  const marks = `[${each.map(({ sql: mark }) => mark).join(", ")}]`;
  const whole = each.map(({ side }, i) => `when m[${i + 1}] = 1 then ${text(side)}`).join(" ");
  const sql =
    `list_transform([${marks}], lambda m: case when coalesce(list_sum(m), 0) <> 1 then null ` +
    `${whole} when m[1] = m[2] then 'tie' end)[1]`;
  const names = Object.values(sides).flat();
  const columns = names.map((mark) => (typeof mark === "string" ? mark : mark.column));
  const says =
    `case when coalesce(list_sum(${marks}), 0) = 0 then 'no column is marked.' else 'more than ` +
    "one column is marked.' end";
  const misfit = {
    when: `(${sql}) is null`,
    key: "winner",
    column: text(columns.join(", ")),
    says,
  };
  return { sql, misfits: [...each.flatMap(({ misfits }) => misfits), misfit] };
}

/** Left, right or tie. @param left, right SQL of the items' names */
function winnerOf(
  { column = "", columns, item, values = {} }: ComparisonList["winner"],
  columnOf: ColumnOf,
  left: string,
  right: string,
): Judged {
  if (columns !== undefined) return sideMarked(columns, columnOf);
  if (item === undefined) {
    const cell = columnOf(column);
    const { sql, misfits } = meaning("winner", cell, values, text, text(column));
    const hint = text(` It is the name of an item: state winner: { item: ${column} }.`);
    const isItem = `coalesce(${cell} in (${left}, ${right}), false)`;
    const says = (own: string) => `${own} || case when ${isItem} then ${hint} else '' end`;
    return { sql, misfits: misfits.map((one) => ({ ...one, says: says(one.says) })) };
  }
  const named = textAt("winner", item, columnOf);
  const { tie = [] } = values;
  const isSame = (other: string) => `${inOneCase(named.sql)} = ${inOneCase(other)}`;
  const texts = asList(tie).flatMap((one) => spelled(one) ?? []);
  const isOneOf = asList(tie).length === 0 ? "false" : isOne(named.sql, tie);
  const isTie = [isOneOf, ...texts.map((one) => isSame(text(one)))].join(" or ");
  const isAmbiguous = `(${isTie}) and coalesce(${isSame(left)} or ${isSame(right)}, false)`;
  const sql =
    `case when ${isAmbiguous} then null when ${isTie} then 'tie' when (${named.sql}) = (${left}) ` +
    `then 'left' when (${named.sql}) = (${right}) then 'right' when ${inOneCase(left)} = ` +
    `${inOneCase(right)} then null when ${isSame(left)} then 'left' when ${isSame(right)} then ` +
    "'right' end";
  const ties = asList(tie).map((one) => (one === null ? "an empty cell" : JSON.stringify(one)));
  const says =
    `' is neither ' || ${quotedCell(left)} || ' nor ' || ${quotedCell(right)} || ` +
    text(ties.length === 0 ? "." : `, nor one of ${ties.join(", ")}.`);
  const both = text(" is an item and means a tie: rename the item.");
  const name = text(columnsOfRef(item).join(", "));
  return {
    sql,
    misfits: [
      ...named.misfits,
      unless(
        "winner",
        named.sql,
        sql,
        `case when ${isAmbiguous} then ${both} else ${says} end`,
        name,
      ),
    ],
  };
}

/** Two ratings each: 1 for the winner, 0 for the other, 0.5 for each of a tie. */
export function comparisonRows(list: ComparisonList, reading: FileReading): RowSql {
  const { columnOf } = reading;
  const common = commonColumns(list, reading);
  const left = requiredColumn("left", textAt("left", list.left, columnOf));
  const right = requiredColumn("right", textAt("right", list.right, columnOf));
  const winner = requiredColumn("winner", winnerOf(list.winner, columnOf, left.sql, right.sql));
  const columns = { ...common, left, right, winner };
  const score =
    `case ${winner.sql} when 'left' then [1.0, 0.0] when 'right' then [0.0, 1.0] ` +
    "when 'tie' then [0.5, 0.5] end::double[]";
  const dimension = common.dimension?.sql ?? "null::varchar";
  return {
    isSingle: false,
    columns: {
      ...sqlOfColumns(common),
      itemId: "null::bigint",
      item: `[${left.sql}, ${right.sql}]`,
      score,
      dimension: `[${dimension}, ${dimension}]`,
    },
    isSkipped: skipped(list, columnOf),
    reason: reasonOf(reading, columns),
  };
}
