/** `recount query`: runs SQL over a snapshot. */
import { extname } from "node:path";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { CommandModule, InferredOptionTypes } from "yargs";
import {
  checkOutput,
  codeOf,
  fileMode,
  fs,
  fsp,
  temporaryFile,
  UsageError,
  writeOutput,
} from "../platform/index.js";
import type { QueryFormat, Warehouse } from "../warehouse/index.js";
import { consoleWidth, drained, print, printFile, warn } from "./console.js";
import { methodOption, projectOf, snapshotOptions } from "./flags.js";

interface Format {
  readonly endings: readonly string[];
  readonly isText: boolean;
}

const queryFormats = {
  table: { endings: [".txt"], isText: true },
  csv: { endings: [".csv"], isText: true },
  json: { endings: [".json"], isText: true },
  jsonl: { endings: [".jsonl", ".ndjson"], isText: true },
  parquet: { endings: [".parquet"], isText: false },
  arrow: { endings: [".arrow"], isText: false },
} as const satisfies Record<QueryFormat | "table", Format>;

type AnswerFormat = keyof typeof queryFormats;

const formatNames = Object.keys(queryFormats) as readonly AnswerFormat[];

/** @throws UsageError for an unknown ending */
function answerFormatOf(file: string): AnswerFormat {
  const ending = extname(file).toLowerCase();
  const format = formatNames.find((name) =>
    (queryFormats[name].endings as readonly string[]).includes(ending),
  );
  if (format !== undefined) return format;
  const known = formatNames.flatMap((name) => queryFormats[name].endings).join(", ");
  throw new UsageError(
    `--output ${file}: unknown file extension. Use one of ${known}, or pass --format.`,
  );
}

const endings = formatNames.flatMap((name) => queryFormats[name].endings).join(", ");

const rowsOption = {
  rows: {
    type: "string",
    describe: "Number of rows to show, or all [default: 40 as a table, otherwise all]",
  },
} as const;

const options = {
  ...snapshotOptions,
  file: {
    alias: "f",
    type: "string",
    describe: "Read the SQL from this file; - for standard input",
  },
  format: {
    choices: formatNames,
    describe: "Output format [default: by the ending of --output, otherwise table]",
  },
  output: {
    alias: "o",
    type: "string",
    describe: `Output file (${endings}) [default: standard output]`,
  },
  ...rowsOption,
  all: {
    type: "boolean",
    default: false,
    describe: "With `show tables`, list internal models and checks too",
  },
  unsafe: {
    type: "boolean",
    default: false,
    describe: "Let the query read and write any file, attach databases and load extensions",
  },
  ...methodOption,
} as const;

type QueryArguments = InferredOptionTypes<typeof options> & { sql: string | undefined };

export const command: CommandModule<object, QueryArguments> = {
  command: "query [sql]",
  describe: "Run SQL over the tables of a snapshot and the recomputed models",
  builder: (yargs) =>
    yargs
      .positional("sql", { type: "string", describe: "SQL query; `show tables` lists the tables" })
      .options(options)
      .example(
        'recount query "select experiment_id, count(*) from ratings group by experiment_id"',
        "Ratings per experiment",
      )
      .example('recount query "from metric_elo" -o elo.parquet', "A recomputed metric as Parquet"),
  handler: async (args) => {
    const { output } = args;
    const format = args.format ?? (output === undefined ? "table" : answerFormatOf(output));
    const limit = limitOf(args.rows);
    if (output === undefined && !queryFormats[format].isText && process.stdout.isTTY)
      throw new UsageError(
        `--format ${format} is not text. Pass --output FILE, or pipe it to a program.`,
      );
    const sql = await sqlOf(args);
    if (output !== undefined) await checkOutput(output);
    const answer = (file: string) =>
      withWarehouse(args, { sql, writes: [file] }, (warehouse) =>
        format === "table"
          ? showTable(warehouse, sql, limit, file)
          : warehouse.writeQuery(sql, format, file, { limit, csvSafe: output !== undefined }),
      );
    if (output !== undefined) {
      await writeOutput(output, answer);
      const { byteText } = await import("../report/index.js");
      print(`Wrote ${output}, ${byteText((await fsp.stat(output)).size)}`);
    } else if (format === "table")
      await withWarehouse(args, { sql }, (warehouse) => showTable(warehouse, sql, limit));
    else await temporaryFile("recount-query", (file) => printFile(file, answer(file)));
  },
};

/** Infinity for all, undefined for the default. */
function limitOf(rows: string | undefined): number | undefined {
  if (rows === undefined) return undefined;
  if (rows === "all") return Infinity;
  if (/^\d{1,15}$/.test(rows)) return Number(rows);
  throw new UsageError(`--rows must be a number or all, not ${rows}.`);
}

async function sqlOf({ sql, file, all }: QueryArguments): Promise<string> {
  const hint = 'Pass SQL, for example "from ratings limit 5", or a file with -f.';
  if (sql !== undefined && file !== undefined)
    throw new UsageError("--file and SQL are both given. Pass one of them.");
  if (sql === undefined && file === undefined) throw new UsageError(`There is no query. ${hint}`);
  const text = sql ?? (await sqlFile(file ?? ""));
  if (text.trim() === "") throw new UsageError(`The query is empty. ${hint}`);
  return /^\s*show\s+tables\s*;?\s*$/i.test(text) ? tableListing(all) : text;
}

/** Bytes: a device or pipe may have no end. */
const longestSql = 1 << 24;

async function sqlFile(file: string): Promise<string> {
  const named = file === "-" ? "Standard input" : `The file of the query, ${file.slice(0, 200)},`;
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of (file === "-"
      ? process.stdin
      : fs.createReadStream(file)) as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > longestSql)
        throw new UsageError(
          `${named} is larger than 16 MiB, the maximum. Pass a file of SQL, for example ` +
            "--file query.sql.",
        );
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${named} cannot be read (${codeOf(error) ?? ""}). Check --file.`, {
      cause: error,
    });
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The order of `show tables`: tables of the lake are at 1; from 4 on only with `--all`. */
const rankOfGroup: Readonly<Record<string, number>> = {
  views: 0,
  metrics: 2,
  statistics: 3,
  audit: 4,
  checks: 5,
};

/** Views first, then tables, metrics and statistics. */
async function tableListing(isAll: boolean): Promise<string> {
  const { documentedTables, headerLine, isInternal, modelPlan, text } =
    await import("../warehouse/index.js");
  const plan = (await modelPlan()).flatMap((model) =>
    [...documentedTables(model).keys()].map((name) => {
      const order = isInternal(name) ? 4 : (rankOfGroup[model.layer] ?? 3);
      return `(${text(name)}, ${text(headerLine(model.sql, "grain"))}, ${order})`;
    }),
  );
  plan.push("('published_vs_recomputed', 'one number of the audit, with its verdict', 0)");
  return `select name, coalesce(grain, 'as the service sent it') as "one row"
    from (show tables)
    left join (values ${plan.join(", ")}) as plan (name, grain, place) using (name)
    ${isAll ? "" : "where coalesce(place, 1) < 4"} order by coalesce(place, 1), name`;
}

/** May write only the files of `writes`, unless it is unsafe. */
async function withWarehouse<T>(
  {
    lake,
    project,
    snapshot,
    pipeline,
    unsafe: isUnsafe,
  }: Pick<QueryArguments, "lake" | "project" | "snapshot" | "pipeline" | "unsafe">,
  query: { readonly sql: string; readonly writes?: readonly string[] },
  use: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  const { openQueryable, readMethod } = await import("../pipeline/index.js");
  const chosen = await projectOf({ lake, project });
  const method = await readMethod(pipeline, chosen, process.env);
  const { currentSnapshot, overSnapshot } = await import("../lake/index.js");
  // Rows that are printed cannot be taken back: the query is not repeated over another snapshot.
  const named = snapshot ?? (await currentSnapshot(lake, chosen)) ?? undefined;
  const run = async (id: string | undefined) => {
    const warehouse = await openQueryable(lake, chosen, {
      snapshot: id,
      method,
      isUnsafe,
      warn,
      ...query,
    });
    // The process ends when nobody reads its output any more; the engine would finish its query
    // first.
    const interrupt = () => warehouse.interrupt();
    process.once("exit", interrupt);
    try {
      return await use(warehouse);
    } finally {
      process.removeListener("exit", interrupt);
      warehouse.close();
    }
  };
  return overSnapshot(lake, chosen, named, run, warn);
}

const preview = 40;

/** The first batch decides how wide the columns are. */
const batch = 1024;

async function showTable(
  warehouse: Warehouse,
  sql: string,
  limit: number | undefined,
  file?: string,
): Promise<void> {
  if (file === undefined) {
    const show = async (text: string) => {
      print(text);
      await drained();
    };
    const width = consoleWidth();
    return printRows(warehouse, sql, limit, show, width < Infinity ? width : undefined);
  }
  const out = fs.createWriteStream(file, { mode: fileMode });
  const done = finished(out);
  await printRows(warehouse, sql, limit, async (text) => {
    if (!out.write(`${text}\n`)) await Promise.race([once(out, "drain"), done]);
  });
  out.end();
  await done;
}

async function printRows(
  warehouse: Warehouse,
  sql: string,
  limit: number | undefined,
  write: (text: string) => Promise<void>,
  width?: number,
): Promise<void> {
  const { rowsTable } = await import("../report/index.js");
  const wanted = limit ?? preview;
  const rows = await warehouse.stream(sql);
  const next = (shown: number) => rows.take(Math.min(batch, wanted - shown));
  let some = await next(0);
  const table = rowsTable(rows.columns, some, width);
  await write(table.header);
  let shown = 0;
  for (; some.length > 0; some = await next(shown)) {
    await write(table.lines(some));
    shown += some.length;
  }
  await write(`\n${table.footer(shown, shown + (await rows.skip()))}`);
}
