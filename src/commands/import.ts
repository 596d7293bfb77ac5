import type { CommandModule, InferredOptionTypes } from "yargs";
import { exitCodes, settings, withFields } from "../platform/index.js";
import { pseudonymOptions, pseudonymsOf } from "./connection.js";
import { conclude, logOptions, print } from "./console.js";
import { flagFor, lakeOption } from "./flags.js";

const options = {
  ...lakeOption,
  ...logOptions,
  ...pseudonymOptions,
  "max-shrink": flagFor("max-shrink", settings.max_shrink),
  "allow-shrink": flagFor("allow-shrink", settings.allow_shrink),
} as const;

type ImportArguments = InferredOptionTypes<typeof options> & { mapping: string };

export const command: CommandModule<object, ImportArguments> = {
  command: "import <mapping>",
  describe: "Import the files of a study into a new snapshot of the lake",
  builder: (yargs) =>
    yargs
      .positional("mapping", {
        type: "string",
        demandOption: true,
        describe: "Mapping file: which files a study consists of, and what their columns are",
      })
      .options(options)
      .example("recount import mapping.yaml --lake lake", "Reads the files that the mapping names"),
  handler: async (args) => {
    const { importSnapshot, readMapping } = await import("../import/index.js");
    const { exportLine, notWholeLine } = await import("../report/index.js");
    const { showProgress } = await import("./progress.js");
    const mapping = await readMapping(args.mapping);
    const pseudonyms = args.pseudonymise ? await pseudonymsOf(args["pseudonym-key-file"]) : undefined;
    const project = mapping.study.id;
    const progress = showProgress(args);
    const log = withFields(progress.log, { project });
    try {
      const shrink = { max: args["max-shrink"], allow: args["allow-shrink"] };
      const report = await importSnapshot(mapping, { lake: args.lake, pseudonyms, shrink }, { log });
      progress.stop();
      const { snapshot, shortfalls } = report;
      const line = exportLine(report);
      print(line);
      const isWhole = shortfalls.length === 0;
      if (!isWhole) log.warn(notWholeLine(shortfalls));
      const code = isWhole ? exitCodes.ok : exitCodes.inconclusive;
      conclude(code, isWhole ? line : notWholeLine(shortfalls), { project, snapshot });
    } finally {
      progress.stop();
    }
  },
};
