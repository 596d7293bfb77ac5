import type { CommandModule } from "yargs";
import { tableNames, type TableName } from "../contract/index.js";
import { baseUrl, connectionOptions, credentials, lakeOption, projectId, type ConnectionArguments } from "./connection.js";
import { consoleLog, logOptions, print, type LogOptions } from "./console.js";
import { interruptSignal } from "./interrupt.js";

interface ExportArguments extends ConnectionArguments, LogOptions {
  lake: string;
  id: string[];
  name: string[];
  type: string[];
  table: TableName[] | undefined;
  concurrency: number;
  raw: boolean;
}

export const exportCommand: CommandModule<object, ExportArguments> = {
  command: "export",
  describe: "Export a project into a new snapshot of the lake",
  builder: (yargs) =>
    yargs
      .options({ ...connectionOptions, ...lakeOption, ...logOptions })
      .option("id", { type: "string", array: true, default: [], describe: "Only these experiments" })
      .option("name", { type: "string", array: true, default: [], describe: "Only experiments whose name fits the glob" })
      .option("type", { type: "string", array: true, default: [], describe: "Only experiments of this type" })
      .option("table", { choices: tableNames, array: true, describe: "Only these tables" })
      .option("concurrency", { type: "number", default: 6, describe: "Requests at a time" })
      .option("raw", { type: "boolean", default: true, describe: "Keep response bodies in the lake" })
      .example("$0 export --base-url http://127.0.0.1:8080 --project Listen42 --lake lake", "With RECOUNT_API_KEY set"),
  handler: async (args) => {
    const { createClient } = await import("../client/index.js");
    const { exportSnapshot } = await import("../extract/index.js");
    const { exportLine } = await import("../report/index.js");
    const log = consoleLog(args);
    const interrupt = interruptSignal(log);
    const client = createClient({ baseUrl: baseUrl(args), credentials: credentials(args), signal: interrupt.signal }, { log });
    try {
      const report = await exportSnapshot(
        {
          client,
          projectId: projectId(args),
          lake: args.lake,
          selection: { ids: args.id, names: args.name, types: args.type },
          ...(args.table ? { tables: args.table } : {}),
          concurrency: args.concurrency,
          keepRaw: args.raw,
        },
        { log },
      );
      print(exportLine(report));
    } finally {
      await client.close();
      interrupt.dispose();
    }
  },
};
