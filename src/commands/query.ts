import type { CommandModule } from "yargs";
import { checkWritable, replaceFile, temporaryFile, UsageError, writeDurably } from "../platform/index.js";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";
import { print, printFile } from "./console.js";
import { methodOf } from "./method.js";

const formats = ["table", "csv", "json", "arrow", "parquet"] as const;

interface QueryArguments extends SnapshotArguments {
  sql: string;
  format: (typeof formats)[number];
  output: string | undefined;
  "csv-safe": boolean | undefined;
  unsafe: boolean;
  pipeline: string | undefined;
}

export const queryCommand: CommandModule<object, QueryArguments> = {
  command: "query <sql>",
  describe: "Run SQL over the tables of a snapshot and the recomputed models",
  builder: (yargs) =>
    yargs
      .positional("sql", { type: "string", demandOption: true, describe: "SQL query; `show tables` lists the tables" })
      .options(snapshotOptions)
      .option("format", { choices: formats, default: "table" as const, describe: "Output format" })
      .option("output", { alias: "o", type: "string", describe: "Output file; by default standard output" })
      .option("csv-safe", {
        type: "boolean",
        describe:
          "Put an apostrophe before CSV cells that a spreadsheet would run as formulas [default: with --output]",
      })
      .option("unsafe", {
        type: "boolean",
        default: false,
        describe: "Let the query read and write any file, attach databases and load extensions",
      })
      .option("pipeline", { type: "string", describe: "Pipeline file with the conventions to compute under" })
      .example(
        '$0 query "select experiment_id, count(*) from ratings group by experiment_id"',
        "Ratings per experiment",
      )
      .example('$0 query "from metric_elo" --format parquet -o elo.parquet', "A recomputed metric as Parquet"),
  handler: async (args) => {
    const { sql, format, output } = args;
    if (sql.trim() === "") throw new UsageError('The query is empty. Pass SQL, for example "from ratings limit 5".');
    if (output === undefined && (format === "arrow" || format === "parquet") && process.stdout.isTTY)
      throw new UsageError(`--format ${format} is not text. Pass --output FILE, or pipe it to a program.`);
    if (output !== undefined) await checkWritable(output);
    if (format === "table") {
      const text = await tableOf(args);
      if (output === undefined) print(text);
      else await writeDurably(output, `${text}\n`);
    } else if (output === undefined) {
      await temporaryFile("recount-query", async (file) => {
        await writeRows(args, format, file);
        await printFile(file);
      });
    } else {
      await replaceFile(output, (file) => writeRows(args, format, file));
    }
  },
};

async function tableOf(args: QueryArguments): Promise<string> {
  const { renderRows } = await import("../report/index.js");
  return withWarehouse(args, [], async (warehouse) => renderRows(await warehouse.all(args.sql)));
}

function writeRows(args: QueryArguments, format: Exclude<QueryArguments["format"], "table">, file: string) {
  const csvSafe = args["csv-safe"] ?? args.output !== undefined;
  return withWarehouse(args, [file], (warehouse) => warehouse.writeQuery(args.sql, format, file, { csvSafe }));
}

/** Opens the snapshot for the query, which may write only the files of `writes`, unless it is unsafe. */
async function withWarehouse<T>(
  { lake, project, snapshot, pipeline, sql, unsafe: isUnsafe }: QueryArguments,
  writes: readonly string[],
  use: (warehouse: import("../warehouse/index.js").Warehouse) => Promise<T>,
): Promise<T> {
  const { openQueryable } = await import("../pipeline/index.js");
  const { conventionsWith } = await import("../metrics/index.js");
  const conventions = conventionsWith((await methodOf(pipeline)).conventions ?? {});
  const options = { snapshot, conventions, writes, isUnsafe };
  const warehouse = await openQueryable(lake, await projectOf({ lake, project }), options, sql);
  try {
    return await use(warehouse);
  } finally {
    warehouse.close();
  }
}
