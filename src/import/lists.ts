// Reads the lists of a mapping into tables of the engine, and these into the lake's tables.
import type { RowWriter } from "../extract/index.js";
import { ExportError, firstFew, groupsOf, sqlText as text, UsageError } from "../platform/index.js";
import { covariatesField, promptField, rightField, weightField } from "../contract/index.js";
import { pathsLike, quoted, textOf, type Warehouse } from "../warehouse/index.js";
import { checkUnchanged, type Screened, type SourceFile } from "./files.js";
import {
  brokenCell,
  casesOf,
  checkTime,
  comparisonRows,
  ratingRows,
  misfitSentence,
  wholeRecord,
  wideColumns,
  type FileReading,
  type RowSql,
} from "./judge.js";
import {
  lackedSql,
  lackingIn,
  askedAt,
  refuseLacking,
  type Asked,
  type Lacking,
} from "./lacking.js";
import type { FileSet, Mapping } from "./mapping.js";
import { asList, type ComparisonList, type RatingList } from "./schema.js";
import { fileTableOf, type FileTable } from "./tables.js";

/** By name, read once for their digests. */
export type ScreenedFiles = ReadonlyMap<string, readonly Screened[]>;

/** Its rows are in a table of the engine, in the order of files and records. */
interface ListTable {
  readonly name: string;
  readonly list: RatingList | ComparisonList;
  /** A row for each record: `f` its file, typed columns, `reason`, `is_skipped`. */
  readonly table: string;
  /** SQL of columns that the mapping leaves out: the table lacks them. */
  readonly absent: readonly string[];
  readonly isSingle: boolean;
  /** Lists, where the ratings of a record are of several raters or slates. */
  readonly spread: readonly string[];
  /** They say which records are the same. */
  readonly key: readonly string[] | undefined;
  readonly files: readonly FileTable[];
  /** The first row of each file, from 0. */
  readonly offsets: readonly number[];
  readonly records: number;
  readonly lacking: readonly Lacking[];
}

export interface ReadList extends ListTable {
  readonly skipped: number;
  readonly quarantined: number;
  readonly taken: number;
}

/** Under pseudonyms no reason quotes what the files or the mapping say. */
export type ListReader = Pick<RowWriter, "warehouse" | "elementsOf"> & {
  readonly isPseudonymised?: boolean;
};

/** With its place in the mapping. */
type ListOf =
  | { readonly kind: "ratings"; readonly list: RatingList; readonly i: number }
  | { readonly kind: "comparisons"; readonly list: ComparisonList; readonly i: number };

export const mappedLists = ({ ratings, comparisons }: Mapping): ListOf[] => [
  ...ratings.map((list, i) => ({ kind: "ratings" as const, list, i })),
  ...comparisons.map((list, i) => ({ kind: "comparisons" as const, list, i })),
];

const patternsOf = ({ kind, list }: ListOf) => (kind === "ratings" ? asList(list.wide?.score) : []);

interface ListRows extends RowSql {
  readonly asked: readonly Asked[];
  /** SQL: of what is asked, the names of what a record lacks. */
  readonly lacks: string;
}

/** @throws UsageError for a column that the file lacks. */
function rowSql(
  one: ListOf,
  file: FileTable,
  {
    options,
    isPseudonymised,
    at,
  }: Pick<FileReading, "options" | "isPseudonymised"> & Pick<Mapping, "at">,
): ListRows {
  const { kind, i, list } = one;
  const where = `${at([kind, i])}: ${kind}`;
  const names = new Set<string>();
  const columnOf = (name: string) => {
    names.add(name);
    return file.column(name, where);
  };
  const reading = { options, columnOf, whole: file.whole, isPseudonymised };
  const wide = one.kind === "ratings" ? wideColumns(one.list, file.columns, where) : [];
  const sql =
    one.kind === "comparisons"
      ? comparisonRows(one.list, reading)
      : ratingRows(one.list, wide, reading);
  const scores = (sql.scores ?? []).map(({ columns, cells }) => ({
    name: `score ${firstFew(columns, 2)}`,
    columns,
    value: `coalesce(${cells.join(", ")})`,
  }));
  const read = [...names].map((name) => {
    const isCondition = name in { ...list.only, ...list.skip };
    const score = scores.find(({ columns }) => columns.includes(name))?.name;
    const isStated = patternsOf(one).includes(name) && !/\.\d/.test(name);
    const isOptional = isCondition || (wide.length > 0 && score !== undefined && !isStated);
    return { ...askedAt(name, file.path(name)), score, isCondition, isOptional };
  });
  const cells = new Map(read.map(({ path: { column = "", cell } = {} }) => [column, cell]));
  const misfits = [...cells].flatMap(([column, cell]) =>
    cell === undefined ? [] : brokenCell(column, cell),
  );
  const flaw =
    `case when ${file.flaw} is not null then ${file.flaw} ` + `${casesOf(misfits, reading)} end`;
  const asked = [...read, ...scores];
  return {
    ...sql,
    asked,
    lacks: `case when (${flaw}) is null then ${lackedSql(asked)} end`,
    reason: `coalesce(${flaw}, ${sql.reason})`,
  };
}

/** A record that counted before goes to quarantine. */
export async function readLists(
  reader: ListReader,
  mapping: Mapping,
  screened: ScreenedFiles,
): Promise<ReadList[]> {
  const lists: ListTable[] = [];
  for (const one of mappedLists(mapping))
    lists.push(await readList(reader, mapping, screened, one));
  const { warehouse, isPseudonymised = false } = reader;
  for (const list of lists) await markRepeated(warehouse, list, isPseudonymised);
  await markTakenTwice(warehouse, lists);
  await markHalfComplete(warehouse, lists);
  return Promise.all(
    lists.map(async (list) => {
      const [counts] = await warehouse.all(
        "select count(*) filter (where is_skipped) as skipped, count(*) filter (where reason " +
          `is not null and not is_skipped) as bad from ${list.table}`,
      );
      const skipped = Number(counts?.skipped);
      const quarantined = Number(counts?.bad);
      return { ...list, skipped, quarantined, taken: list.records - skipped - quarantined };
    }),
  );
}

async function readList(
  { warehouse, elementsOf, isPseudonymised = false }: ListReader,
  mapping: Mapping,
  screened: ScreenedFiles,
  one: ListOf,
): Promise<ListTable> {
  const { kind, list, i } = one;
  const { at } = mapping;
  const table = `${kind}_${i}`;
  const options = mapping.files[list.from] as FileSet;
  for (const key of ["time", "started", "completed"] as const)
    await checkTime(warehouse, list[key], `${at([kind, i, key])}: ${kind}.${key}`);
  const files: FileTable[] = [];
  const offsets: number[] = [];
  let records = 0;
  let isSingle = true;
  let spread: readonly string[] = [];
  let key: readonly string[] | undefined;
  let absent: string[] = [];
  const allAsked = new Map<string, Asked>();
  for (const [f, own] of (screened.get(list.from) ?? []).entries()) {
    const found = await fileTableOf(warehouse, own, options, elementsOf);
    const columns = new Set(found.columns);
    for (const pattern of patternsOf(one).filter((name) => name.includes("*")))
      for (const name of await pathsLike(warehouse, pattern, found)) columns.add(name);
    const file = { ...found, columns: [...columns] };
    const sql = rowSql(one, file, { options, isPseudonymised, at });
    const { asked, lacks } = sql;
    if ((sql.spread ?? []).length > 0)
      spread = ["item", "score", "dimension", ...(sql.spread ?? [])];
    isSingle = sql.isSingle || spread.length > 0;
    const named = (areAbsent: boolean) =>
      Object.entries({ ...sql.columns, lacks })
        .filter(([, value]) => isAbsent(value) === areAbsent)
        .map(([name, value]) => `${value} as ${quoted(name)}`);
    if (!isAbsent(sql.columns.key ?? "")) key = list.key ?? [wholeRecord];
    absent = named(true);
    const isSkipped = `(${sql.isSkipped}) or ${file.isBare}`;
    const rows =
      `select ${f}::integer as f, ${named(false).join(", ")}, ${isSkipped} as is_skipped, ` +
      `${sql.reason} as reason from ${file.from}`;
    await checkHeaders(warehouse, file, sql, at(["files", list.from, "header_rows"]));
    const into =
      f === 0 ? `create or replace temp table ${table} as ${rows}` : `insert into ${table} ${rows}`;
    await warehouse.all(into).catch((error: unknown) => {
      throw unreadable(own, error);
    });
    const [counted] = await warehouse.all(`select count(*) as n from ${table}`);
    const read = Number(counted?.n) - records;
    checkUnchanged(own);
    if (file.records !== null && read !== file.records)
      throw new ExportError(
        `${own.source.file} has ${file.records} records, but the engine reads ${read} of them.`,
      );
    for (const own of asked) allAsked.set(own.name, own);
    files.push(file);
    offsets.push(records);
    records += read;
  }
  const lacking = await lackingIn(warehouse, `from ${table}`, [...allAsked.values()]);
  await refuseLacking(warehouse, lacking, files, `${at([kind, i])}: ${kind}`);
  const name = i === 0 ? kind : `${kind} ${i + 1}`;
  return {
    name,
    list,
    table,
    absent,
    isSingle,
    spread,
    key,
    files,
    offsets,
    records,
    lacking,
  };
}

/** @throws UsageError for a header row that would be a rating. */
async function checkHeaders(
  warehouse: Warehouse,
  { headers, screened: { source } }: FileTable,
  { columns: { score = "" }, isSingle, isSkipped, reason }: RowSql,
  where: string,
): Promise<void> {
  if (headers === undefined) return;
  const has = isSingle ? `(${score}) is not null` : `len(${score}) > 0`;
  const [row] = await warehouse.all(
    `select min(row) as row from (select row_number() over () + 1 as row, ${has} and not ` +
      `(${isSkipped}) and (${reason}) is null as is_record from ${headers}) where is_record`,
  );
  if (row?.row == null) return;
  const last = Number(row.row) - 1;
  throw new UsageError(
    `${where}: row ${last + 1} of ${source.file} is not a header: it has scores. State ` +
      `header_rows: ${last}.`,
  );
}

/** Names of items and raters that look alike. */
export async function namesAlike(
  warehouse: Warehouse,
  lists: readonly ReadList[],
): Promise<string[]> {
  const says: string[] = [];
  for (const [key, noun] of Object.entries({ item: "an item", rater: "a rater" })) {
    const names = lists.map((list) => {
      const isList = list.spread.includes(key) || (key === "item" && !list.isSingle);
      const rows = takenRows({ ...list, spread: [] }, 0);
      return `select ${isList ? `unnest(${key})` : key} as name from (${rows})`;
    });
    const plain = "nfc_normalize(regexp_replace(name, '\\p{Cf}', '', 'g'))";
    const one = `lower(trim(regexp_replace(${plain}, '[\\s\\x{a0}\\x{3000}]+', ' ', 'g')))`;
    const found = await warehouse.all(
      "select to_json(list(name order by name))::varchar as names from (select distinct name " +
        `from (${names.join(" union all ")}) where name is not null) group by ${one} having ` +
        "count(*) > 1 order by names",
    );
    const more = found.length > 1 ? `, as do ${found.length - 1} more such groups` : "";
    for (const row of found.slice(0, 1))
      says.push(
        `Each of ${textOf(row, "names")} counts as ${noun} of its own${more}: only letter case, ` +
          "blanks, invisible characters or Unicode forms differ. If they are the same, state " +
          "trim: true for the file, or correct it.",
      );
  }
  return says;
}

/** No row has a value: thousands of nulls need no place in memory. */
const isAbsent = (sql: string) => /^null::[\w[\]]+$/.test(sql);

function unreadable({ source }: Screened, error: unknown): Error | UsageError {
  const message = error instanceof Error ? error.message : String(error);
  const line = /Line: (\d+)/.exec(message)?.[1];
  const [first = ""] = message.split("\n");
  return new ExportError(
    `${source.file}${line === undefined ? "" : `, line ${line}`}: cannot be read whole: ${first}`,
    { cause: error },
  );
}

const isJudgedFit = "reason is null and not is_skipped";

/** Of the rows with one key, the first stays. */
async function markRepeated(
  warehouse: Warehouse,
  { table, key }: ListTable,
  isPseudonymised: boolean,
): Promise<void> {
  if (key === undefined) return;
  const told = {
    key: "key",
    column: text(key.join(", ")),
    cell: "array_to_string(key, ', ')",
    says: "' is that of an earlier row too.'",
  };
  const says = key.includes(wholeRecord)
    ? text("key: all cells are those of an earlier row. If both count, state key: [].")
    : misfitSentence(told, isPseudonymised);
  const own = `${isJudgedFit} and key is not null`;
  await warehouse.all(
    `update ${table} set reason = ${says} where ${own} and rowid not in (select min(rowid) from ` +
      `${table} where ${own} group by key)`,
  );
}

/** The pair that it compares, or the items that it rates. */
function itemsCounted({ list, isSingle }: ListTable): string {
  if ("winner" in list) return "list_sort(item)::varchar as item, dimension[1] as dimension";
  return isSingle ? "item, dimension" : "unnest(item) as item, unnest(dimension) as dimension";
}

/** If two lists count one record for the same session, the first keeps it. */
async function markTakenTwice(warehouse: Warehouse, lists: readonly ListTable[]): Promise<void> {
  const keyed = lists.filter(({ key }) => key !== undefined && !key.includes(wholeRecord));
  const sameFiles = [...groupsOf(lists, ({ list }) => list.from).values()];
  const sameKeys = [...groupsOf(keyed, ({ key }) => JSON.stringify(key)).values()];
  // A record is known by its place among the records of its files, and by its key.
  for (const own of sameFiles) await markLater(warehouse, own, "n");
  for (const own of sameKeys) await markLater(warehouse, own, "key");
}

/** `why`, in SQL, is the reason for quarantine. */
async function markRows(
  warehouse: Warehouse,
  lists: readonly ListTable[],
  rowsOf: (list: ListTable, i: number) => string,
  why: string,
): Promise<void> {
  const all = lists.map(
    (list, i) => `select ${i} as i, ${rowsOf(list, i)} from (${takenRows(list, 0)})`,
  );
  await warehouse.all(
    `create or replace temp table marked as select i, n, ${why} as why from ` +
      `(${all.join(" union all ")}) qualify why is not null`,
  );
  for (const [i, { table }] of lists.entries())
    await warehouse.all(
      `update ${table} set reason = why from marked where i = ${i} and marked.n = ${table}.rowid`,
    );
}

/** What an earlier one of the lists counts of the record `id`. */
async function markLater(
  warehouse: Warehouse,
  lists: readonly ListTable[],
  id: string,
): Promise<void> {
  if (lists.length === 1) return;
  const rows = (list: ListTable) => `n, ${id} as record, session, ${itemsCounted(list)}`;
  const first = "min(i) over (partition by record, session, item, coalesce(dimension, ''))";
  const names = lists.map(({ name }) => text(name)).join(", ");
  const why =
    `case when record is not null and ${first} < i then [${names}][${first} + 1] || ' takes this ` +
    "record too, and a record counts once. Check only and skip of both.' end";
  await markRows(warehouse, lists, rows, why);
}

/** Sessions that are complete in some rows only. */
async function markHalfComplete(warehouse: Warehouse, lists: readonly ListTable[]): Promise<void> {
  const stating = lists.filter(
    ({ list }) => list.completed !== undefined && (list.session ?? list.rater) !== undefined,
  );
  if (stating.length === 0) return;
  const why =
    "case when completed is null and count(completed) over (partition by session) > 0 then " +
    "'completed: the cell is empty, and another row says that the session is complete.' end";
  await markRows(warehouse, stating, () => "n, session, completed", why);
}

/**
 * With their number over all lists; where a record has ratings of several raters or slates, each
 * rating has the number of its record.
 */
export function takenRows({ table, absent, spread }: ListTable, before: number): string {
  const rows =
    `select ${["*", ...absent, `rowid + ${before} as n`].join(", ")} from ${table} where ` +
    isJudgedFit;
  if (spread.length === 0) return rows;
  const each = spread.map((name) => `unnest(${name}) as ${name}`);
  return `select * exclude (${spread.join(", ")}), ${each.join(", ")} from (${rows})`;
}

/** By dimension, what its lists state. @throws UsageError if two lists disagree */
export async function directionsOf(
  warehouse: Warehouse,
  { at }: Mapping,
  lists: readonly ReadList[],
) {
  const stated = new Map<string, "higher" | "lower">();
  for (const one of lists) {
    const { direction } = one.list;
    if (direction === undefined) continue;
    const found = await warehouse.all(
      "select distinct coalesce(dimension, '') as dimension from (select " +
        `${itemsCounted(one)} from (${takenRows(one, 0)})) order by dimension`,
    );
    for (const row of found) {
      const dimension = textOf(row, "dimension");
      const other = stated.get(dimension);
      if (other !== undefined && other !== direction)
        throw new UsageError(
          `${at([one.name.replace(/ .*/, "")])}: direction of dimension ` +
            `${JSON.stringify(dimension)} is ${other} in one list and ${direction} in another. ` +
            `A scale has one direction: state the same in both, for example direction: ${other}.`,
        );
      stated.set(dimension, direction);
    }
  }
  return [...stated].map(([dimension, direction]) => ({ dimension, direction }));
}

async function numberSlates(warehouse: Warehouse, lists: readonly ReadList[]): Promise<string> {
  const ranked =
    "dense_rank() over (order by session, slate nulls last, case when slate is null then n end)";
  if (lists.some(({ spread }) => spread.length > 0)) return ranked;
  const given = lists.filter(({ list }) => list.slate !== undefined);
  if (given.length === 0) return "n";
  // In the order of the file: the number of a slate's first row.
  if (lists.some(({ list }) => list.order === "row"))
    return "case when slate is null then n else min(n) over (partition by session, slate) end";
  const own = given
    .map((one) => `select session, slate from (${takenRows(one, 0)})`)
    .join(" union all ");
  const isOdd =
    "try_cast(slate as bigint)::varchar is distinct from slate or min(session) <> max(session)";
  const odd = `select 1 from (${own}) group by slate having ${isOdd}`;
  const [found] = await warehouse.all(`select exists (${odd}) as is_odd`);
  if (given.length === lists.length && found?.is_odd === false) return "slate::bigint";
  return ranked;
}

/**
 * Sessions without times are complete, in the order of their names, or of the rows if that is
 * stated.
 */
const timeless = "timestamptz '1970-01-01 00:00:00+00'";

/** Both ratings of an item against itself name it: the meta of the right one says so. */
const rightOfItself =
  "unnest(case when item[1] = item[2] then [false, true] else [false, false] end) as is_right";

/** SQL, with the columns of the tables of the lake. Slates are there if a list says when. */
export async function convertedTables(
  warehouse: Warehouse,
  lists: readonly ReadList[],
  experiment: string,
) {
  let before = 0;
  const each: string[] = [];
  const shared =
    "f, key, rater, session, job, slate, training, correct, meta, time, started, completed, " +
    "weight, covariates, prompt";
  for (const one of lists) {
    each.push(
      `select n, ${shared}, "itemId", item, score, dimension, ${one.isSingle} as is_single ` +
        `from (${takenRows(one, before)})`,
    );
    before += one.records;
  }
  const slate = await numberSlates(warehouse, lists);
  const isPlain = slate === "n";
  const hasSpread = lists.some(({ spread }) => spread.length > 0);
  const rows = (own: string) => `select *, ${slate} as slate_no from (${own})`;
  // One list needs no union, whose rows of single ratings and of several have other types.
  const unnested = lists.map(({ isSingle, list }, i) => {
    const several = isSingle
      ? "item, score, dimension"
      : "unnest(item) as item, unnest(score) as score, unnest(dimension) as dimension";
    // A wide row may have one rating only.
    const lefts = `${"winner" in list ? "unnest([covariates, null])" : "null::json"} as covariates`;
    const side = "winner" in list ? rightOfItself : "null::boolean as is_right";
    return (
      `select * exclude (item, score, dimension, covariates), ${several}, ${side}, ${lefts} ` +
      `from (${numbered(i)})`
    );
  });
  function numbered(i: number): string {
    const own = each[i] ?? "";
    if (isPlain || lists.length === 1) return rows(own);
    const numbers =
      `select n, session, slate, ${slate} as slate_no ` + `from (${all("session, slate")})`;
    return (
      `select own.*, s.slate_no from (${own}) as own join (select distinct * from ` +
      `(${numbers})) as s on own.n = s.n and own.session = s.session and own.slate is not ` +
      "distinct from s.slate"
    );
  }
  // Null is left out. The rating with covariates is the left one.
  const own =
    `json_object('${weightField}', weight, '${covariatesField}', covariates, ` +
    `'${promptField}', prompt)`;
  const known =
    "case when coalesce(weight::varchar, covariates::varchar, prompt) is not null then " +
    `json_merge_patch('{}', ${own})::varchar end`;
  const given =
    "coalesce(meta, case when correct is not null " + `then '{"isCorrect":' || correct || '}' end)`;
  const flags =
    `case when is_right then json_merge_patch(coalesce(${given}, '{}')::json, ` +
    `'{"${rightField}":true}')::varchar else ${given} end`;
  function all(columns: string): string {
    return each.map((own) => `select n, ${columns} from (${own})`).join(" union all ");
  }
  const ratings =
    "select score, rater as rater_id, slate_no as slate_id, session as session_id, job as " +
    `job_id, "itemId" as stimulus_id, item as stimulus, coalesce(dimension, '') as dimension, ` +
    `coalesce(training, false) as is_training, ${flags} as meta, correct as is_correct, ` +
    `${known} as _meta, n from (${unnested.join(" union all ")})`;
  const hasTimes = lists.some(({ list }) => list.time !== undefined);
  const hasCompletion = lists.some(({ list }) => list.completed !== undefined);
  const isOrdered = lists.some(({ list }) => list.order === "row");
  const completed = hasCompletion
    ? "max(completed)"
    : `coalesce(max(time), max(started), ${timeless})`;
  const place = isOrdered ? `json_object('recount_place', min(n))::varchar` : "null";
  const sessions =
    `select session as id, min(job) as job_id, ${text(experiment)} as reported_experiment_id, ` +
    "coalesce(min(started), min(time)) as date_created, max(time) as date_updated, " +
    `${completed} as date_completed, case when min(rater) = max(rater) then json_object('id', ` +
    `min(rater))::varchar end as rater, ${place} as _meta from ` +
    `(${all("session, job, rater, time, started, completed")}) group by session`;
  const jobs = `select distinct job as id from (${all("job")}) where job is not null order by id`;
  const slates =
    "select slate_no as id, any_value(session) as session_id, any_value(job) as job_id, " +
    "any_value(rater) as rater_id, max(time) as date_updated, coalesce(bool_or(training), " +
    `false) as is_training from (${rows(all("session, slate, job, rater, time, training"))}) ` +
    "group by slate_no, session order by id";
  return {
    ratings: isPlain
      ? ratings
      : `select * from (${ratings}) order by slate_id, ` +
        `n${hasSpread ? ", stimulus, dimension" : ""}`,
    sessions: `${sessions} order by id`,
    jobs,
    slates: hasTimes ? slates : undefined,
  };
}

/**
 * JSON lines with file, line and what the file says there. @param textOf SQL for what is kept of a
 * record's text
 */
export async function* misfitLines(
  warehouse: Warehouse,
  lists: readonly ReadList[],
  textOf: (json: string) => string,
): AsyncGenerator<string> {
  let element = 0;
  for (const { table, files, offsets } of lists)
    for (const [f, file] of files.entries()) {
      const { screened, noun } = file;
      const bad =
        `select rowid - ${offsets[f]} + 1 as record, reason from ${table} where f = ${f} and ` +
        "reason is not null and not is_skipped";
      const read =
        `select row_number() over () as record, ${textOf(file.raw)} as raw ` + `from ${file.from}`;
      const rows = await warehouse.stream(
        `select record, reason, raw from (${bad}) join (${read}) using (record) order by record`,
      );
      for (;;) {
        const some = await rows.take(1000);
        if (some.length === 0) break;
        yield some
          .map(([record, reason, raw]) => {
            const line = screened.lineOf(Number(record));
            return `${JSON.stringify({
              element: element++,
              reason: `${screened.source.path}, ${noun} ${line}: ${reason as string}`,
              raw,
            })}\n`;
          })
          .join("");
      }
    }
}

/** From 0: its file, and its place there as `line 3`. */
function placeInFile(
  { files, offsets }: ReadList,
  n: number,
): { source: SourceFile; place: string } {
  const f = offsets.findLastIndex((offset) => offset <= n);
  const { screened, noun } = files[f] as FileTable;
  return {
    source: screened.source,
    place: `${noun} ${screened.lineOf(n - (offsets[f] ?? 0) + 1)}`,
  };
}

export async function firstMisfit(warehouse: Warehouse, list: ReadList): Promise<string> {
  const [row] = await warehouse.all(
    `select rowid as n, reason from ${list.table} where reason is not null and not is_skipped ` +
      "order by rowid limit 1",
  );
  const { source, place } = placeInFile(list, Number(row?.n));
  return `${source.path}, ${place}: ${row === undefined ? "" : textOf(row, "reason")}`;
}

/** That every list skips. */
export interface Untaken {
  readonly name: string;
  readonly records: number;
  /** Of the first, and its place there. */
  readonly source: SourceFile;
  readonly place: string;
}

export async function untakenIn(
  warehouse: Warehouse,
  lists: readonly ReadList[],
): Promise<Untaken[]> {
  const untaken: Untaken[] = [];
  for (const [name, own] of groupsOf(lists, ({ list }) => list.from)) {
    const skipped = own
      .map(({ table }) => `select rowid as n from ${table} where is_skipped`)
      .join(" intersect ");
    const [found] = await warehouse.all(
      `select count(*) as records, min(n) as first from (${skipped})`,
    );
    const records = Number(found?.records);
    if (records > 0) untaken.push({ name, records, ...placeInFile(own[0], Number(found?.first)) });
  }
  return untaken;
}
