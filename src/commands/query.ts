import type { CommandModule } from "yargs";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";
import { print } from "./console.js";
import { methodOf } from "./method.js";
import type { Warehouse } from "../warehouse/index.js";

const formats = ["table", "csv", "json", "arrow", "parquet"] as const;

interface QueryArguments extends SnapshotArguments {
  sql: string;
  format: (typeof formats)[number];
  output: string | undefined;
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
      .option("pipeline", { type: "string", describe: "Pipeline file with the conventions to compute under" })
      .example(
        '$0 query "select experiment_id, count(*) from ratings group by experiment_id"',
        "Ratings per experiment",
      )
      .example('$0 query "from metric_elo" --format parquet -o elo.parquet', "A recomputed metric as Parquet"),
  handler: async (args) => {
    const { openQueryable } = await import("../pipeline/index.js");
    const { conventionsWith } = await import("../metrics/index.js");
    const pipeline = await methodOf(args.pipeline);
    const project = await projectOf(args);
    const warehouse = await openQueryable(
      args.lake,
      project,
      { snapshot: args.snapshot, conventions: conventionsWith(pipeline.conventions ?? {}) },
      args.sql,
    );
    try {
      await writeResult(warehouse, args);
    } finally {
      warehouse.close();
    }
  },
};

async function writeResult(warehouse: Warehouse, { sql, format, output }: QueryArguments): Promise<void> {
  if (format === "table") {
    const { renderRows } = await import("../report/index.js");
    const text = renderRows(await warehouse.all(sql));
    if (output === undefined) print(text);
    else await (await import("../platform/index.js")).writeDurably(output, `${text}\n`);
    return;
  }
  if (output !== undefined) return warehouse.writeQuery(sql, format, output);
  const { temporaryFile, fs } = await import("../platform/index.js");
  const { pipeline } = await import("node:stream/promises");
  await temporaryFile("recount-query", async (file) => {
    await warehouse.writeQuery(sql, format, file);
    await pipeline(fs.createReadStream(file), process.stdout, { end: false });
  });
}
