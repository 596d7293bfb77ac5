// Reads the lists of a mapping into tables of the engine, and these into the lake's tables.
import type { RowWriter } from "../extract/index.js";
import {
  ExportError,
  groupsOf,
  messageOf,
  sqlText as text,
  thousands,
  UsageError,
} from "../platform/index.js";
import { pathsLike, quoted, textOf, type Row, type Warehouse } from "../warehouse/index.js";
import { checkUnchanged } from "./files.js";
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
  type WideSql,
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
import type { ScreenedFiles, Untaken } from "./queries.js";
import { asList, starRole, type ComparisonList, type RatingList } from "./schema.js";
import { importSql } from "./sql.js";
import { fileTableOf, type FileTable } from "./tables.js";

/** Its rows are in a table of the engine, in the order of files and records. */
interface ListTable {
  readonly name: string;
  readonly list: RatingList | ComparisonList;
  /**
   * A row for each record, of a wide one for each cell: `f` its file, `n` the record from 0, typed
   * columns, `reason`, `is_skipped`.
   */
  readonly table: string;
  /** SQL of columns that the mapping leaves out: the table lacks them. */
  readonly absent: readonly string[];
  /** They say which records are the same. */
  readonly key: readonly string[] | undefined;
  readonly files: readonly FileTable[];
  /** The first record of each file, from 0. */
  readonly offsets: readonly number[];
  readonly numbers: number;
  /** Rows: of a wide list cells. */
  readonly records: number;
  readonly lacking: readonly Lacking[];
}

interface ListCounts {
  readonly skipped: number;
  readonly quarantined: number;
  readonly reasons: readonly string[];
}

export interface ReadList extends ListTable, ListCounts {
  readonly taken: number;
}

/** Under pseudonyms no reason quotes what the files or the mapping say. */
export type ListReader = Pick<RowWriter, "warehouse" | "elementsOf"> & {
  readonly isPseudonymised?: boolean;
};

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
  const { score } = sql;
  const isFound = (name: string) =>
    wide.some((cell) => cell.score === name) &&
    (starRole(list) === "none" || !patternsOf(one).includes(name) || /\.\d/.test(name));
  const read = [...names].map((name) => ({
    ...(isFound(name) ? { name, path: file.path(name) } : askedAt(name, file.path(name), options)),
    isCondition: name in { ...list.only, ...list.skip },
  }));
  const cells = new Map(read.map(({ path: { column = "", cell } = {} }) => [column, cell]));
  const misfits = [...cells].flatMap(([column, cell]) =>
    cell === undefined ? [] : brokenCell(column, cell),
  );
  const flaw =
    `case when ${file.flaw} is not null then ${file.flaw} ` + `${casesOf(misfits, reading)} end`;
  const asked: Asked[] = [...read];
  if (score !== undefined) asked.push({ name: `score ${score.column}`, value: score.cell });
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
  await reader.warehouse.all(await importSql("macros"));
  for (const one of mappedLists(mapping))
    lists.push(await readList(reader, mapping, screened, one));
  const { warehouse, isPseudonymised = false } = reader;
  for (const list of lists) await markRepeated(warehouse, list, isPseudonymised);
  await markContradictions(warehouse, lists);
  await createTaken(warehouse, lists, mapping.at);
  return Promise.all(
    lists.map(async (list) => {
      const counts = await importSql("list_counts", { table: list.table });
      const [own] = (await warehouse.all(counts)) as unknown as [ListCounts];
      return { ...list, ...own, taken: list.records - own.skipped - own.quarantined };
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
  let numbers = 0;
  let key: readonly string[] | undefined;
  let absent: string[] = [];
  const allAsked = new Map<string, Asked>();
  for (const [f, screenedFile] of (screened.get(list.from) ?? []).entries()) {
    const whole = await fileTableOf(warehouse, screenedFile, options, elementsOf);
    const columns = new Set(whole.columns);
    for (const pattern of patternsOf(one).filter((name) => name.includes("*")))
      for (const name of await pathsLike(warehouse, pattern, whole)) columns.add(name);
    const file = { ...whole, columns: [...columns] };
    const sql = rowSql(one, file, { options, isPseudonymised, at });
    const { asked, lacks } = sql;
    const { wide } = sql;
    const own = { ...sql.columns, lacks };
    const named = (areAbsent: boolean) =>
      Object.entries(own)
        .filter(([name, value]) => isAbsent(value) === areAbsent && !(name in { ...wide?.columns }))
        .map(aliased);
    const hasKey = !isAbsent(sql.columns.key ?? "");
    if (hasKey) key = list.key ?? [wholeRecord];
    absent = named(true);
    const read =
      `select ${f}::integer as f, ${numbers} + row_number() over () - 1 as n, ` +
      `${named(false).join(", ")}, ${sql.isSkipped} as is_skipped, ${sql.reason} as reason`;
    const rows =
      wide === undefined ? `${read} from ${file.from}` : await wideRows(read, wide, file, hasKey);
    await checkHeaders(warehouse, file, sql, at(["files", list.from, "header_rows"]));
    const into =
      f === 0 ? `create or replace temp table ${table} as ${rows}` : `insert into ${table} ${rows}`;
    await warehouse.all(into).catch((error: unknown) => {
      throw new ExportError(
        `${screenedFile.source.file}: cannot be read whole: ${messageOf(error)}`,
        { cause: error },
      );
    });
    const [counted] = await warehouse.all(`select count(*) as rows, max(n) + 1 as n from ${table}`);
    const found = Number(counted?.n) - numbers;
    checkUnchanged(screenedFile);
    if (file.records !== null && found !== file.records)
      throw new ExportError(
        `${screenedFile.source.file} has ${file.records} records, but the engine reads ` +
          `${found} of them.`,
      );
    for (const own of asked) allAsked.set(own.name, own);
    files.push(file);
    offsets.push(numbers);
    numbers += found;
    records = Number(counted?.rows);
  }
  const lacking = await lackingIn(warehouse, `from ${table}`, [...allAsked.values()]);
  await refuseLacking(warehouse, lacking, files, { where: `${at([kind, i])}: ${kind}`, options });
  return {
    name: i === 0 ? kind : `${kind} ${i + 1}`,
    list,
    table,
    absent,
    key,
    files,
    offsets,
    numbers,
    records,
    lacking,
  };
}

const aliased = ([name, sql]: readonly [string, string]) => `${sql} as ${quoted(name)}`;

const wideRows = async (
  records: string,
  { cells, columns, reason }: WideSql,
  { from }: FileTable,
  hasKey: boolean,
): Promise<string> =>
  importSql("cells", {
    records: `${records}, ${cells} as cells from ${from}`,
    reason,
    key: hasKey ? ", list_append(key, cell[2]) as key" : "",
    columns: Object.entries(columns).map(aliased).join(", "),
  });

/** @throws UsageError for a header row that would be a rating. */
async function checkHeaders(
  warehouse: Warehouse,
  { headers, screened: { source } }: FileTable,
  { columns: { score = "" }, isSkipped, reason, wide }: RowSql,
  where: string,
): Promise<void> {
  if (headers === undefined) return;
  const has =
    wide === undefined
      ? `(${score || "null"}) is not null`
      : `len(list_filter(${wide.cells}, lambda cell: (${wide.reason}) is null)) > 0`;
  const [row] = await warehouse.all(
    `select min(row) as row from (select row_number() over () + 1 as row, ${has} and not ` +
      `(${isSkipped}) and (${reason}) is null as is_record from ${headers}) where is_record`,
  );
  if (row?.row == null) return;
  const last = Number(row.row) - 1;
  throw new UsageError(
    `${where}: row ${last + 1} of ${source.path} is not a header: it has scores. State ` +
      `header_rows: ${last}.`,
  );
}

export async function namesAlike({ warehouse }: ListReader): Promise<string[]> {
  const says: string[] = [];
  for (const [name, noun] of Object.entries({ item: "an item", rater: "a rater" })) {
    const [row, ...others] = await warehouse.all(await importSql("names_alike", { name }));
    const more = others.length > 0 ? `, as do ${others.length} more such groups` : "";
    if (row !== undefined)
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

const itemsCounted = ({ list }: ListTable): string =>
  "winner" in list
    ? "list_sort(item)::varchar as item, dimension[1] as dimension"
    : "item, dimension";

/** A record counts in one list of a session, which is complete in all its rows or in none. */
async function markContradictions(
  warehouse: Warehouse,
  lists: readonly ListTable[],
): Promise<void> {
  const keyed = lists.filter(({ key }) => key !== undefined && !key.includes(wholeRecord));
  const sameFiles = [...groupsOf(lists, ({ list }) => list.from).values()];
  const sameKeys = [...groupsOf(keyed, ({ key }) => JSON.stringify(key)).values()];
  // A record is known by its place among the records of its files, and by its key.
  for (const [record, groups] of Object.entries({ n: sameFiles, key: sameKeys }))
    for (const own of groups.filter(({ length }) => length > 1))
      await markRows(
        warehouse,
        own,
        "mark_later",
        (list) => `${record} as record, session, ${itemsCounted(list)}`,
      );
  const stating = lists.filter(
    ({ list }) => list.completed !== undefined && (list.session ?? list.rater) !== undefined,
  );
  if (stating.length > 0)
    await markRows(warehouse, stating, "mark_half_complete", () => "session, completed");
}

/** A statement of `sql/import/` says which of them, and `why` they are in quarantine. */
async function markRows(
  warehouse: Warehouse,
  lists: readonly ListTable[],
  name: string,
  columnsOf: (list: ListTable) => string,
): Promise<void> {
  const each = lists.map(
    (list, i) => `select ${i} as i, row, ${columnsOf(list)} from (${takenRows(list)})`,
  );
  const names = `[${lists.map((list) => text(list.name)).join(", ")}]`;
  const marked = await importSql(name, { names, rows: each.join(" union all ") });
  await warehouse.all(`create or replace temp table marked as ${marked}`);
  for (const [i, { table }] of lists.entries())
    await warehouse.all(
      `update ${table} set reason = why from marked where i = ${i} and marked.row = ${table}.rowid`,
    );
}

const takenRows = ({ table, absent }: ListTable): string =>
  `select ${["*", "rowid as row", ...absent].join(", ")} from ${table} where ${isJudgedFit}`;

/** Of one list; two ratings each of a comparison. */
const mostAnswers = 10_000_000;

/** Of all lists, a row a rating: `n` numbers the answers of all. */
async function createTaken(
  warehouse: Warehouse,
  lists: readonly ListTable[],
  at: Mapping["at"],
): Promise<void> {
  let before = 0;
  const each: string[] = [];
  for (const one of lists) {
    const { direction } = one.list;
    const stated = direction === undefined ? "null::varchar" : text(direction);
    const { most, answers } = await answersIn(warehouse, one);
    if (answers > mostAnswers)
      throw new UsageError(
        `${at([])}: ${one.name}.count: its records stand for ${thousands(answers)} answers, more ` +
          `than ${thousands(mostAnswers)}. Read less at once.`,
      );
    const own = takenRows(one);
    const copies =
      one.list.count === undefined
        ? own
        : await importSql("copies", { rows: own, most: String(most) });
    const rows = `select * replace (n + ${before} as n), ${stated} as direction from (${copies})`;
    each.push(
      "winner" in one.list
        ? await importSql("compared", { rows })
        : `select *, null::boolean as is_right from (${rows})`,
    );
    before += one.numbers * most;
  }
  if (lists.length > 0)
    await warehouse.all(`create or replace temp view taken as ${each.join(" union all by name ")}`);
}

async function answersIn(warehouse: Warehouse, one: ListTable) {
  if (one.list.count === undefined) return { most: 1, answers: 0 };
  const [row] = await warehouse.all(
    `select max(count) as most, sum(count)::double as answers from (${takenRows(one)})`,
  );
  return { most: Number(row?.most ?? 1), answers: Number(row?.answers ?? 0) };
}

/** By dimension, what its lists state. @throws UsageError if two lists disagree */
export async function directionsOf(warehouse: Warehouse, { at }: Mapping): Promise<Row[]> {
  const found = await warehouse.all(await importSql("directions"));
  const odd = found.find(({ is_odd: isOdd }) => isOdd);
  if (odd !== undefined)
    throw new UsageError(
      `${at([])}: direction of dimension ${JSON.stringify(odd.dimension)} is higher in one list ` +
        "and lower in another. A scale has one direction: state the same in both.",
    );
  return found.map(({ dimension, direction }) => ({ dimension, direction }) as Row);
}

const hasRaters = ({ list }: ListTable) => "wide" in list && starRole(list) === "rater";

/** SQL: its number over the taken rows, and the order of ratings where that is not that of rows. */
async function slateNumbers(
  warehouse: Warehouse,
  lists: readonly ReadList[],
): Promise<{ slate: string; order: string }> {
  const order = "order by slate_id, n";
  const ranked =
    "dense_rank() over (order by session, slate nulls last, case when slate is null then n end)";
  if (lists.some(hasRaters)) return { slate: ranked, order: `${order}, stimulus, dimension` };
  const given = lists.filter(({ list }) => list.slate !== undefined);
  if (given.length === 0) return { slate: "n", order: "" };
  // In the order of the file: the number of a slate's first row.
  if (lists.some(({ list }) => list.order === "row"))
    return {
      slate: "case when slate is null then n else min(n) over (partition by session, slate) end",
      order,
    };
  const [odd] = await warehouse.all(
    "select 1 from taken group by slate having min(session) <> max(session) or " +
      "try_cast(slate as bigint)::varchar is distinct from slate limit 1",
  );
  const isNumbered = given.length === lists.length && odd === undefined;
  return { slate: isNumbered ? "slate::bigint" : ranked, order };
}

/** SQL, with the columns of the tables of the lake. Slates are there if a list says when. */
export async function convertedTables(
  warehouse: Warehouse,
  lists: readonly ReadList[],
  experiment: string,
) {
  const numbers = await slateNumbers(warehouse, lists);
  const states = (key: "time" | "completed" | "order") =>
    lists.some(({ list }) => list[key] !== undefined);
  return {
    ratings: await importSql("ratings", numbers),
    sessions: await importSql("sessions", {
      experiment: text(experiment),
      states_completion: String(states("completed")),
      is_ordered: String(states("order")),
    }),
    jobs: "select distinct job as id from taken where job is not null order by id",
    slates: states("time") ? await importSql("slates", numbers) : undefined,
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
      const { place, from } = file;
      const parts = { table, place, from, raw: textOf(file.raw) };
      const at = { file: String(f), offset: String(offsets[f]) };
      const rows = await warehouse.stream(await importSql("misfits", { ...parts, ...at }));
      for (;;) {
        const some = await rows.take(1000);
        if (some.length === 0) break;
        yield some
          .map(([place, reason, raw]) => {
            const says = `${place as string}: ${reason as string}`;
            return `${JSON.stringify({ element: element++, reason: says, raw })}\n`;
          })
          .join("");
      }
    }
}

export async function firstMisfit(warehouse: Warehouse, list: ReadList): Promise<string> {
  for await (const lines of misfitLines(warehouse, [list], () => "null"))
    return (JSON.parse(lines.split("\n")[0] ?? "") as { reason: string }).reason;
  return "";
}

export async function untakenIn(
  warehouse: Warehouse,
  lists: readonly ReadList[],
): Promise<Untaken[]> {
  const untaken: Untaken[] = [];
  for (const [name, own] of groupsOf(lists, ({ list }) => list.from)) {
    const skipped = own
      .map(({ table }) => `select distinct n from ${table} where is_skipped`)
      .join(" intersect ");
    const [found] = await warehouse.all(
      `select count(*) as records, min(n) as first from (${skipped})`,
    );
    const records = Number(found?.records);
    if (records === 0) continue;
    const { files, offsets } = own[0];
    const first = Number(found?.first);
    const f = offsets.findLastIndex((offset) => offset <= first);
    const { screened, from, place } = files[f] as FileTable;
    const { source } = screened;
    const [row = {}] = await warehouse.all(
      `select place from (select row_number() over () as record, ${place} as place from ${from}) ` +
        `where record = ${first - (offsets[f] ?? 0) + 1}`,
    );
    untaken.push({
      name,
      records,
      source,
      place: textOf(row, "place").replace(`${source.path}, `, ""),
    });
  }
  return untaken;
}
