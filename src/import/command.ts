// `recount import`: a study's files as a new snapshot of a lake.
import type { CommandModule, InferredOptionTypes } from "yargs";
import { settings, UsageError, withFields } from "../platform/index.js";
import {
  concludeExport,
  consoleIo,
  flagFor,
  lakeOption,
  logOptions,
  print,
  pseudonymOptions,
  pseudonymsOf,
} from "../commands/index.js";

const options = {
  guess: {
    type: "string",
    describe: "Print a mapping to start from for this file, and import nothing",
  },
  ...lakeOption,
  ...logOptions,
  ...pseudonymOptions,
  "max-shrink": flagFor("max-shrink", settings.max_shrink),
  "allow-shrink": flagFor("allow-shrink", settings.allow_shrink),
} as const;

type ImportArguments = InferredOptionTypes<typeof options> & { mapping?: string | undefined };

export const command: CommandModule<object, ImportArguments> = {
  command: "import [mapping]",
  describe: "Import the files of a study into a new snapshot of the lake",
  builder: (yargs) =>
    yargs
      .positional("mapping", {
        type: "string",
        describe: "Mapping file: which files a study consists of, and what their columns are",
      })
      .options(options)
      .example("recount import mapping.yaml --lake lake", "Reads the files that the mapping names")
      .example("recount import --guess votes.csv > mapping.yaml", "Writes a mapping to start from"),
  handler: async (args) => {
    const { guessMapping, importSnapshot, readMapping } = await import("./index.js");
    if ((args.mapping === undefined) === (args.guess === undefined))
      throw new UsageError(
        "Name a mapping, for example recount import mapping.yaml, or a file with --guess.",
      );
    if (args.guess !== undefined) {
      const { text, refused } = await guessMapping(args.guess);
      print(text);
      if (refused !== undefined) throw new UsageError(refused);
      return;
    }
    const mapping = await readMapping(args.mapping ?? "");
    const pseudonyms = args.pseudonymise
      ? await pseudonymsOf(args["pseudonym-key-file"])
      : undefined;
    const project = mapping.study.id;
    const io = await consoleIo(args);
    const display = io.show();
    const log = withFields(display.log, { project });
    try {
      const shrink = { max: args["max-shrink"], allow: args["allow-shrink"] };
      const report = await importSnapshot(
        mapping,
        { lake: args.lake, pseudonyms, shrink },
        { log, signal: io.signal },
      );
      display.stop();
      await concludeExport(report, log, project);
    } finally {
      display.stop();
      io.dispose();
    }
  },
};
