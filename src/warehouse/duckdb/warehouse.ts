/** DuckDB over the Parquet files of a snapshot. */
import type { DuckDBConnection, JS } from "@duckdb/node-api";
import { orderTolerance, type Conventions } from "../../metrics/index.js";
import {
  exitCodes,
  laterFolder,
  messageOf,
  RecountError,
  systemCodeOf,
  UsageError,
  enginePath,
  isObject,
  letEngineRead,
} from "../../platform/index.js";
import type { DeclaredTables, Row, Warehouse } from "../engine.js";
import { createSourceViews, quoted, type TableSource, text } from "../parquet.js";
import { DuckDBInstance, DuckDBScalarFunction, StatementType, VARCHAR } from "./api.js";
import { type Bind, declareTables } from "./declared.js";
import { plainValue, readColumnsOf, rowStream, writeTable } from "./results.js";
import {
  confine,
  type Guard,
  queryError,
  refuseChanges,
  refuseOutside,
  runStatements,
} from "./statements.js";
import { writeQuery } from "./write-query.js";

export interface WarehouseOptions {
  /** A table that the models read and that is missing here is empty, or absent if `isPartial`. */
  readonly sources: Readonly<Record<string, TableSource>>;
  readonly isPartial?: boolean;
  /** A lake whose other files statements name. */
  readonly lake?: string | undefined;
  /** Bytes that are read, if known: few take one thread as long as all. */
  readonly bytes?: number;
  /** Default: one per core, or one for few bytes. No result depends on it. */
  readonly threads?: number | undefined;
  /**
   * As DuckDB writes it, such as `4GB`; default: RECOUNT_MEMORY_LIMIT, or 80 % of the machine's.
   */
  readonly memory?: string | undefined;
  readonly spill?: string;
}

/** @throws UsageError for a RECOUNT_MEMORY_LIMIT that is no size */
function memoryLimit({ RECOUNT_MEMORY_LIMIT: limit }: NodeJS.ProcessEnv): string | undefined {
  if (!limit || /^\d+(\.\d+)?\s*[kmgt]i?b$/i.test(limit)) return limit || undefined;
  throw new UsageError(
    `RECOUNT_MEMORY_LIMIT must be a number and a unit, such as 4GB, not ${limit}.`,
  );
}

const fewBytes = 1 << 18;
const manyFiles = 300;

interface OpenEngine {
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}

export async function openWarehouse(options: WarehouseOptions): Promise<Warehouse> {
  const { bytes = Infinity, memory = memoryLimit(process.env) } = options;
  const threads = options.threads ?? (bytes < fewBytes ? 1 : undefined);
  const folder =
    options.spill === undefined ? laterFolder() : { path: options.spill, remove: () => undefined };
  const instance = await DuckDBInstance.create(":memory:", {
    temp_directory: enginePath(folder.path),
    ...(threads === undefined ? {} : { threads: String(threads) }),
    ...(memory === undefined ? {} : { memory_limit: memory }),
  });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
    folder.remove();
  };
  try {
    await showSources(connection, options);
  } catch (error) {
    close();
    throw error;
  }
  return warehouseOver({ connection, close }, options);
}

/** @throws UsageError for a damaged file */
async function showSources(
  connection: DuckDBConnection,
  { sources, isPartial = false, lake }: WarehouseOptions,
): Promise<void> {
  await connection.run("set timezone = 'UTC'");
  const files = sourceFilePaths(sources);
  // The system caches local files: copies of 1,000 parts would take another 100 MB.
  if (!files.some(isObject)) await connection.run("set enable_external_file_cache = false");
  await letEngineRead(connection, lake === undefined ? files : [lake, ...files]);
  await createSourceViews(connection, sources, isPartial).catch((error: unknown) => {
    // The system's refusals are not corruption.
    if (!["EIO", undefined].includes(systemCodeOf(error))) throw error;
    const [first = ""] = messageOf(error).split("\n");
    throw new UsageError(`The snapshot cannot be read: ${first}. Run \`recount verify\`.`, {
      cause: error,
    });
  });
}

const sourceFilePaths = (sources: WarehouseOptions["sources"]) =>
  Object.values(sources).flatMap(({ files }) => files);

const asQuery = <T>(sql: string, result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    const isScreen = error instanceof RecountError && error.exitCode === exitCodes.inconclusive;
    throw isScreen ? error : queryError(sql, error);
  });

function warehouseOver(
  engine: OpenEngine,
  { sources }: Pick<WarehouseOptions, "sources">,
  schema = "main",
): Warehouse {
  const { connection, close } = engine;
  const queries = createQueries(connection);
  const giveBack = createRelease(connection);
  const release = () => (queries.isConfined() ? Promise.resolve() : giveBack());
  const read = (sql: string) => readColumnsOf(connection, sql, release);
  const warehouse: Warehouse = {
    isInManyFiles: sourceFilePaths(sources).length > manyFiles,
    async over(own) {
      await connection.run("set search_path = main; drop schema if exists own cascade");
      await release();
      if (own === null) return warehouse;
      await connection.run("create schema own; set search_path = 'own,main'");
      await showSources(connection, { sources: own });
      return warehouseOver(engine, { sources: own }, "own");
    },
    confine: queries.confine,
    declare: queries.declare,
    addFunction: (name, compute) => {
      connection.registerScalarFunction(textFunction(name, compute));
    },
    setConventions: (conventions) => setConventions(connection, conventions),
    createModel: modelMaker(connection),
    columns: (query) => (typeof query === "string" ? asQuery(query, read(query)) : read(query.sql)),
    writeTable: (name, types, columns) => writeTable(connection, { schema, name }, types, columns),
    async all(sql, params) {
      const reader = await asQuery(sql, queries.all(sql, params));
      const rows = reader.getRowObjectsJS();
      for (const row of rows) for (const name in row) row[name] = plainValue(row[name] as JS);
      return rows as Row[];
    },
    change: (sql) =>
      asQuery(
        sql,
        connection.run(sql).then(({ rowsChanged }) => rowsChanged),
      ),
    async stream(sql) {
      const rows = await asQuery(sql, queries.stream(sql));
      const { columns } = rows;
      return {
        columns,
        take: (count) => asQuery(sql, rows.take(count)),
        skip: (most) => asQuery(sql, rows.skip(most)),
      };
    },
    writeQuery: (sql, format, file, options) =>
      asQuery(sql, queries.write(sql, format, file, options)),
    interrupt: () => connection.interrupt(),
    release,
    close,
  };
  return warehouse;
}

function modelMaker(connection: DuckDBConnection): Warehouse["createModel"] {
  const kinds = new Map<string, "view" | "table">();
  return async ({ name, stored, sql }) => {
    const before = kinds.get(name) ?? stored;
    if (before !== stored) await connection.run(`drop ${before} if exists ${quoted(name)}`);
    kinds.set(name, stored);
    const made = await connection.runAndReadAll(
      `create or replace ${stored} ${quoted(name)} as ${sql}`,
    );
    return stored === "view" ? null : Number(made.value(0, 0));
  };
}

function createQueries(connection: DuckDBConnection) {
  let isConfined = false;
  let bind: Bind | undefined;
  const guardOf = (isQuery: boolean): Guard => ({
    judge: async (type, text) => {
      if (!isConfined) return;
      refuseOutside(type, text, isQuery);
      if (type !== StatementType.EXPLAIN)
        await guard.bind(text, () => refuseChanges(connection, text));
    },
    bind: (text, task) => (bind === undefined ? task() : bind(text, task)),
  });
  const guard = guardOf(false);
  return {
    isConfined: () => isConfined,
    confine: async (files: readonly string[]) => {
      await confine(connection, files);
      isConfined = true;
    },
    declare: async (tables: DeclaredTables) => {
      bind = await declareTables(connection, tables);
    },
    async all(sql: string, params: Parameters<Warehouse["all"]>[1]) {
      if (!isConfined && bind === undefined) return connection.runAndReadAll(sql, params);
      return runStatements(connection, sql, guard, (statement) => statement.runAndReadAll());
    },
    async stream(sql: string) {
      return rowStream(
        await runStatements(connection, sql, guardOf(true), (statement) => statement.stream()),
      );
    },
    async write(...[sql, format, file, options]: Parameters<Warehouse["writeQuery"]>) {
      await guard.bind(sql, async () => {
        if (isConfined) await refuseChanges(connection, sql);
        await writeQuery(connection, sql, format, file, options);
      });
    },
  };
}

/** @throws UsageError unless the item pattern is a regular expression with one capture */
export async function setConventions(
  connection: DuckDBConnection,
  conventions: Conventions,
): Promise<void> {
  await checkPattern(connection, conventions.item_pattern);
  await connection.run(macrosOf(conventions));
}

/**
 * The engine folds `conventions()`, which reads a variable, into a constant: a branch that the
 * conventions rule out costs nothing. `last_rank()` is that of sessions without a service rank.
 * `screening_key()` is what a screening rule leaves out: a rater, or a rating for p808.
 * `sorted_sum()` and `ordered_sum()` are the same in any order of the rows.
 * `is_above()` is larger by more than the tolerance of order.
 */
export const macrosOf = (conventions: Conventions): string => `
set variable conventions = ${duckdbLiteral(conventions)};
create or replace macro conventions() as getvariable('conventions');
${otherMacros}`;

export const storedMacros = (conventions: Conventions): string => `
create or replace macro conventions() as ${duckdbLiteral(conventions)};
${otherMacros}`;

const otherMacros = `
create or replace macro last_rank() as 2147483647;
create or replace macro screening_key(rule, rater, session, slate, stimulus) as case rule
  when 'p808'
    then concat_ws(
      '/', rater, coalesce(session, ''), coalesce(cast(slate as varchar), ''), stimulus
    )
  else rater
end;
create or replace macro screen_of(rule) as
  case when rule like 'bs1534%' then 'bs1534' else rule end;
create or replace macro finite(x) as case when isfinite(x) then x end;
create or replace macro sorted_sum(x) as list_aggregate(list_sort(list(x)), 'fsum');
create or replace macro ordered_sum(x, key) as list_aggregate(
  list_transform(list_sort(list(row(key, x))), lambda one: one[2]), 'fsum'
);
create or replace macro weighted_sum(n, weight) as coalesce(sum(n) filter (where weight = 1), 0)
  + coalesce(list_sum(list_sort(list(n * weight) filter (where weight <> 1))), 0);
create or replace macro order_step(x) as ${orderTolerance} * greatest(1, abs(x));
create or replace macro is_above(x, y) as x - y >= order_step(y);
create or replace macro rank_of(x, of_group) as 1 + count(x) over (
  partition by of_group order by x desc nulls last
  range between unbounded preceding and order_step(x) preceding
);
create or replace macro item_of(stimulus) as case
  when regexp_matches(stimulus, conventions().item_pattern)
    then regexp_extract(stimulus, conventions().item_pattern, 1)
  else stimulus
end;`;

async function checkPattern(connection: DuckDBConnection, pattern: string | null): Promise<void> {
  if (pattern === null) return;
  const capture = (names: string): Promise<string | null> =>
    connection
      .run(`select regexp_extract('', ${text(pattern)}, ${names})`)
      .then(() => null, messageOf);
  const problem =
    (await capture("['one']")) ??
    ((await capture("['one', 'two']")) === null ? "it has more than one" : null);
  if (problem === null) return;
  throw new UsageError(
    `conventions.item_pattern: ${pattern} is not a regular expression with one capture ` +
      `(${problem}). ` +
      'Write one such as "^[^/]+/(.+)$".',
  );
}

function duckdbLiteral(value: unknown): string {
  if (value === null) return "cast(null as varchar)";
  if (typeof value === "number") return `cast(${value} as double)`;
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean") return String(value);
  const fields = Object.entries(value as Record<string, unknown>);
  return `{${fields.map(([key, field]) => `${quoted(key)}: ${duckdbLiteral(field)}`).join(", ")}}`;
}

/** Bytes of growth from which memory is given back: fresh memory costs time too. */
const leastGrowth = 64 * 2 ** 20;

/**
 * The allocator gives back what is free whenever the memory limit is set, even to the same value.
 */
function createRelease(connection: DuckDBConnection): () => Promise<void> {
  const rss = (): number => process.memoryUsage.rss();
  let least = Infinity;
  return async () => {
    const now = rss();
    least = Math.min(least, now);
    if (now < least + leastGrowth) return;
    await connection.run("set memory_limit = current_setting('memory_limit')");
    least = rss();
  };
}

function textFunction(
  name: string,
  compute: (a: string, b: string) => string,
): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    parameterTypes: [VARCHAR, VARCHAR],
    returnType: VARCHAR,
    specialHandling: true,
    mainFunction: (_, input, output) => {
      const a = input.getColumnVector(0);
      const b = input.getColumnVector(1);
      for (let i = 0; i < input.rowCount; i++) {
        const first = a.getItem(i);
        const second = b.getItem(i);
        output.setItem(
          i,
          typeof first === "string" && typeof second === "string" ? compute(first, second) : null,
        );
      }
      output.flush();
    },
  });
}
