// Files that are SQL over other files of a mapping: judged, and run in an engine of their own.
import { join } from "node:path";
import {
  didYouMean,
  ExportError,
  laterFolder,
  messageOf,
  fs,
  readParquet,
  sqlText as text,
  thousands,
  UsageError,
} from "../platform/index.js";
import { openWarehouse, quoted, textOf, type Warehouse } from "../warehouse/index.js";
import { screen, type Screened, type SourceFile } from "./files.js";
import type { FileSet, Mapping } from "./mapping.js";
import { importSql } from "./sql.js";
import { fileTableOf, nounIn, type ElementsOf } from "./tables.js";

/** Records that are in no list. */
export interface Untaken {
  readonly name: string;
  readonly records: number;
  /** Of the first, and its place there. */
  readonly source: SourceFile;
  readonly place: string;
}

export type ScreenedFiles = ReadonlyMap<string, readonly Screened[]>;

interface Query {
  readonly name: string;
  readonly sql: string;
  readonly tables: readonly string[];
  /** Those that it reads itself or by other queries. */
  readonly bases: readonly string[];
  readonly isOrdered: boolean;
}

type Node = Readonly<Record<string, unknown>>;

const allowedTables = new Set("unnest range generate_series json_each json_tree".split(" "));

/** Whether they need no brackets. */
type Refused = ReadonlyMap<string, boolean>;

async function refusedFunctions(engine: Warehouse): Promise<Refused> {
  const found = await engine.all(await importSql("refused_functions"));
  return new Map(found.map((row) => [textOf(row, "name"), row.is_bare === true]));
}

function nodesIn(value: unknown): Node[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(nodesIn);
  return Array.isArray(value) ? inside : [value as Node, ...inside];
}

function refusalOf(
  node: Node,
  isTable: (name: string) => boolean,
  refused: Refused,
): string | undefined {
  const nameOf = ({ function_name: name }: Node) => (name as string).toLowerCase();
  if (node.sample !== undefined) return "tablesample does not take the same rows each time";
  if (node.type === "SHOW_REF") return "show, describe and summarize are not allowed";
  if (node.type === "PIVOT" && node.unpivot_names === undefined)
    return "pivot is not allowed: write max(score) filter (where name = 'a') as a";
  if (node.type === "BASE_TABLE") {
    const named = [node.catalog_name, node.schema_name, node.table_name].filter(Boolean).join(".");
    return isTable(named) ? undefined : `${named} is not among files`;
  }
  if (node.type === "TABLE_FUNCTION") {
    const name = nameOf(node.function as Node);
    if (!allowedTables.has(name)) return `${name}() is not allowed as a table`;
  }
  if (node.class === "FUNCTION") {
    const name = nameOf(node);
    const isOfNow = name === "age" && (node.children as unknown[] | undefined)?.length === 1;
    if (refused.has(name) || isOfNow)
      return `${name}() is not allowed: it may differ the next time, or elsewhere`;
  }
  const [bare, ...others] = (node.column_names as string[] | undefined) ?? [];
  if (bare !== undefined && others.length === 0 && refused.get(bare.toLowerCase()) === true)
    return `${bare} is not allowed: it may differ the next time, or elsewhere`;
  return undefined;
}

/** @throws UsageError for what is more than one SELECT over names of `files` */
async function judged(
  engine: Warehouse,
  { files, at }: Pick<Mapping, "files" | "at">,
  name: string,
  refused: Refused,
): Promise<Omit<Query, "bases">> {
  const sql = files[name]?.sql ?? "";
  const refuse = (says: string): never => {
    throw new UsageError(`${at(["files", name, "sql"])}: files.${name}.sql: ${says}.`);
  };
  const [row = {}] = await engine.all(
    `select json_serialize_sql(${text(sql)}, skip_default := true, skip_null := true, ` +
      "skip_empty := true)::varchar as tree",
  );
  const tree = JSON.parse(textOf(row, "tree")) as {
    error: boolean;
    error_type?: string;
    error_message?: string;
    statements?: { node: Node }[];
  };
  if (tree.error && tree.error_type !== "not implemented") refuse(tree.error_message ?? "");
  const [select, ...others] = tree.statements ?? [];
  if (select === undefined || others.length > 0)
    return refuse(
      "must be one SELECT over names of files, for example select * from votes order by line",
    );
  const nodes = nodesIn(select);
  const within = nodes.flatMap(({ cte_map: map }) =>
    ((map as { map?: { key: string }[] } | undefined)?.map ?? []).map(({ key }) => key),
  );
  const odd = within.find((one) => !/^\w+$/.test(one));
  if (odd !== undefined)
    refuse(`with names ${JSON.stringify(odd)}: letters, digits and _ are allowed`);
  const known = Object.keys(files).filter((one) => one !== name);
  const isSame = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();
  const isTable = (one: string) => [...known, ...within].some(isSame(one));
  for (const node of nodes) {
    const says = refusalOf(node, isTable, refused);
    if (says === undefined) continue;
    const table = (node.table_name as string | undefined) ?? "";
    refuse(
      says + (says.endsWith("among files") ? didYouMean(table, known).replace(/\?$/, "") : ""),
    );
  }
  const named = nodes.flatMap(({ type, table_name: table }) =>
    type === "BASE_TABLE" ? [table as string] : [],
  );
  const modifiers = (select.node.modifiers as Node[] | undefined) ?? [];
  return {
    name,
    sql: sql.trim().replace(/;\s*$/, ""),
    tables: known.filter((one) => named.some(isSame(one))),
    isOrdered: modifiers.some(({ type }) => type === "ORDER_MODIFIER"),
  };
}

export interface Ran {
  readonly screened: ScreenedFiles;
  readonly rowless: readonly Untaken[];
  /** Of queries that do not say which records their rows are from. */
  readonly untold: readonly string[];
}

export interface Queries {
  /** Names of `files` that they read. */
  readonly bases: readonly string[];
  /** With their rows as files beside the others. @throws UsageError, ExportError beyond a limit */
  readonly run: (screened: ScreenedFiles, elementsOf: ElementsOf) => Promise<Ran>;
}

const memory = "2GB";
const mostMinutes = 10;
const mostRows = 100_000_000;

/** Judges the queries that the lists need, in the engine that runs them. @throws UsageError */
export async function withQueries<T>(
  mapping: Mapping,
  use: (queries: Queries) => Promise<T>,
): Promise<T> {
  const { files, ratings, comparisons, published } = mapping;
  const asked = [...ratings, ...comparisons, ...published].map(({ from }) => from);
  if (asked.every((name) => files[name]?.sql === undefined))
    return use({
      bases: [],
      run: (screened) => Promise.resolve({ screened, rowless: [], untold: [] }),
    });
  const folder = laterFolder();
  const engine = await openWarehouse({ sources: {}, threads: 1, memory });
  try {
    const queries = await judgedQueries(engine, mapping, asked);
    fs.mkdirSync(folder.path, { recursive: true, mode: 0o700 });
    return await use({
      bases: queries.flatMap(({ bases }) => bases),
      run: (screened, elementsOf) =>
        runQueries({ engine, folder: folder.path, queries, mapping, screened, elementsOf }),
    });
  } finally {
    engine.close();
    folder.remove();
  }
}

/** Each after those that it reads. */
async function judgedQueries(
  engine: Warehouse,
  mapping: Mapping,
  asked: readonly string[],
): Promise<Query[]> {
  const { files, at, ratings, comparisons } = mapping;
  const isQuery = (name: string) => files[name]?.sql !== undefined;
  const refused = await refusedFunctions(engine);
  const queries = new Map<string, Query>();
  const add = async (name: string, path: readonly string[]): Promise<void> => {
    if (queries.has(name)) return;
    const query = await judged(engine, mapping, name, refused);
    const where = `${at(["files", name, "sql"])}: files.${name}.sql`;
    if (path.includes(name))
      throw new UsageError(`${where} needs itself: ${[...path, name].join(", ")}.`);
    if (
      !query.isOrdered &&
      [...ratings, ...comparisons].some(({ from, order }) => from === name && order === "row")
    )
      throw new UsageError(`${where} needs an order by, for example order by line: order is row.`);
    for (const one of query.tables) if (isQuery(one)) await add(one, [...path, name]);
    const bases = query.tables.flatMap((one) => queries.get(one)?.bases ?? [one]);
    queries.set(name, { ...query, bases: [...new Set(bases)] });
  };
  for (const name of asked) if (isQuery(name)) await add(name, []);
  return [...queries.values()];
}

interface QueryRun {
  readonly engine: Warehouse;
  readonly folder: string;
  readonly queries: readonly Query[];
  readonly mapping: Mapping;
  readonly screened: ScreenedFiles;
  readonly elementsOf: ElementsOf;
}

/** The engine has the tables that they name and may open nothing else than their results. */
async function runQueries(run: QueryRun): Promise<Ran> {
  const { engine, folder, queries, mapping, screened } = run;
  const filesOf = (name: string) => screened.get(name) ?? [];
  const ownPlaces = new Map<string, readonly string[]>();
  for (const name of new Set(queries.flatMap(({ bases }) => bases)))
    ownPlaces.set(name, await loadTable(run, name, filesOf(name)));
  const fileOf = ({ name }: Query) => join(folder, `${Object.keys(mapping.files).indexOf(name)}`);
  await engine.confine(queries.map(fileOf));
  const all = new Map(screened);
  const rowless: Untaken[] = [];
  const untold: string[] = [];
  for (const query of queries) {
    const { name } = query;
    const file = fileOf(query);
    const where = `${mapping.at(["files", name, "sql"])}: files.${name}.sql`;
    await runQuery(engine, query, file, where);
    await engine.all(`create or replace view ${quoted(name)} as from ${readParquet(file)}`);
    const described = await engine.all(`describe ${quoted(name)}`);
    const columns = described.map((row) => textOf(row, "column_name"));
    const [only, ...others] = query.bases.flatMap(filesOf);
    const hasFile = columns.includes("file");
    const own = query.bases.flatMap((base) => ownPlaces.get(base) ?? []);
    const isTold =
      columns.includes("line") &&
      !own.includes("line") &&
      (hasFile ? !own.includes("file") : others.length === 0);
    const placed =
      isTold && only !== undefined
        ? { path: hasFile ? undefined : only.source.path, noun: nounIn(only.source) }
        : undefined;
    const source: SourceFile = { path: name, file, format: "parquet", placed };
    all.set(name, [await screen(source, { paths: [] })]);
    if (!isTold) untold.push(where);
    else
      for (const base of query.bases)
        rowless.push(...(await rowlessOf(engine, name, base, filesOf(base), hasFile)));
  }
  return { screened: all, rowless, untold };
}

/** Its own columns that are named as a place. */
async function loadTable(
  { engine, mapping, elementsOf }: QueryRun,
  name: string,
  files: readonly Screened[],
): Promise<string[]> {
  const each: string[] = [];
  const ownPlaces: string[] = [];
  for (const own of files) {
    const table = await fileTableOf(engine, own, mapping.files[name] as FileSet, elementsOf);
    const { columns, cells, line, from } = table;
    const added = { line, file: text(own.source.path) };
    const isOwn = (key: string) => table.records !== null && columns.includes(key);
    const places = Object.entries(added)
      .filter(([key]) => !isOwn(key))
      .map(([key, sql]) => `${sql} as ${key}`);
    ownPlaces.push(...Object.keys(added).filter(isOwn));
    each.push(`select ${[...places, cells].join(", ")} from ${from}`);
  }
  await engine.all(`create table ${quoted(name)} as ${each.join(" union all by name ")}`);
  return ownPlaces;
}

async function runQuery(
  engine: Warehouse,
  { sql, isOrdered }: Query,
  file: string,
  where: string,
): Promise<void> {
  const beyond = (limit: string): never => {
    throw new ExportError(`${where}: more than ${limit}, the limit of a query. Read less at once.`);
  };
  const failed = (error: unknown): never => {
    const message = messageOf(error).replace(/^The query failed: /, "");
    if (isLate) return beyond(`${mostMinutes} minutes`);
    if (/Out of Memory/i.test(message)) return beyond(memory);
    const isRecord = /Conversion Error|Invalid Input Error|Out of Range/i.test(message);
    const Failure = isRecord ? ExportError : UsageError;
    throw new Failure(`${where}: ${message}`, { cause: error });
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    engine.interrupt();
  }, mostMinutes * 60_000);
  try {
    const ordered = isOrdered ? sql : `select * from (${sql}\n) order by all`;
    await engine.writeQuery(ordered, "parquet", file, { limit: mostRows + 1 }).catch(failed);
  } finally {
    clearTimeout(timer);
  }
  const [row] = await engine.all(`select count(*) as n from ${readParquet(file)}`);
  if (Number(row?.n) > mostRows) beyond(`${thousands(mostRows)} rows`);
}

async function rowlessOf(
  engine: Warehouse,
  name: string,
  base: string,
  files: readonly Screened[],
  hasFile: boolean,
): Promise<Untaken[]> {
  const key = hasFile ? "file || ' ' || line" : "line::varchar";
  const parts = { base: quoted(base), rows: quoted(name), key };
  const found = await engine.all(await importSql("rowless", parts));
  const [first] = found;
  const own = files.find(({ source }) => source.path === first?.file);
  const records = found.reduce((sum, row) => sum + Number(row.records), 0);
  const [total] = await engine.all(`select count(*) as n from ${quoted(base)}`);
  // Rows may be of one of the files that a query joins.
  if (first === undefined || own === undefined || (hasFile && records === Number(total?.n)))
    return [];
  const place = `${nounIn(own.source)} ${Number(first.first_line)}`;
  return [{ name: base, records, source: own.source, place }];
}
