/** `recount transform`: recomputes the models of a snapshot. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { exitCodes, UsageError } from "../platform/index.js";
import { conclude, print, warn } from "./console.js";
import { engineOption, onEngine } from "./display.js";
import { fullOption, methodOption, reading, snapshotOptions } from "./flags.js";

const modelChoices = ["usual", "all", "published"] as const;

const options = {
  ...snapshotOptions,
  ...engineOption,
  ...methodOption,
  ...fullOption,
  models: {
    choices: modelChoices,
    default: "usual" as const,
    describe:
      "Models to write: what people read, with their data checks; all, with slates, pairs " +
      "and the history of Elo; or only the tables of the published kinds",
  },
  statistics: {
    type: "boolean",
    default: false,
    describe:
      "Write the models of docs/reference/statistics.md too: differences, agreement, " +
      "screening and others",
  },
} as const;

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "transform",
  describe:
    "Recompute every metric of a snapshot and write the models as Parquet files and a " +
    "DuckDB database",
  builder: (yargs) =>
    yargs
      .options(options)
      .example("recount transform --lake lake", "Write lake/<project>/derived/<snapshot>/"),
  handler: async (args) => {
    const { readMethod, transform } = await import("../pipeline/index.js");
    const { failedChecks } = await import("../lake/index.js");
    const { notWholeLine, renderTransform } = await import("../report/index.js");
    const { lake, models, statistics, full: isFull } = args;
    if (statistics && models === "published")
      throw new UsageError(
        "--statistics goes with --models usual or all; leave out one of the two.",
      );
    const report = await reading(args, async (project, snapshot) => {
      const { conventions } = await readMethod(args.pipeline, project, process.env);
      return onEngine(args, project, (cluster) =>
        transform(lake, project, {
          snapshot,
          models,
          statistics,
          isFull,
          conventions,
          cluster,
          warn,
        }),
      );
    });
    print(renderTransform(report));
    const failed = failedChecks(report.recomputed.checks);
    if (failed.length > 0) conclude(exitCodes.inconclusive, notWholeLine(failed));
  },
};
