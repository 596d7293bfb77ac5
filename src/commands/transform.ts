import type { CommandModule } from "yargs";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";
import { print } from "./console.js";

const choices = ["all", "published"] as const;

interface TransformArguments extends SnapshotArguments {
  models: (typeof choices)[number];
  pipeline: string | undefined;
}

export const transformCommand: CommandModule<object, TransformArguments> = {
  command: "transform",
  describe: "Recompute every metric of a snapshot and write the models as Parquet files and a DuckDB database",
  builder: (yargs) =>
    yargs
      .options(snapshotOptions)
      .option("pipeline", { type: "string", describe: "Pipeline file with the conventions to compute under" })
      .option("models", {
        choices,
        default: "all" as const,
        describe: "Models to write: all, with data checks, or only the tables of the published kinds",
      })
      .example("$0 transform --lake lake", "Write lake/<project>/derived/<snapshot>/"),
  handler: async (args) => {
    const { readMethod, transform } = await import("../pipeline/index.js");
    const { renderTransform } = await import("../report/index.js");
    const project = await projectOf(args);
    const { conventions } = await readMethod(args.pipeline, project, process.env);
    const report = await transform(args.lake, project, {
      snapshot: args.snapshot,
      models: args.models,
      conventions,
    });
    print(renderTransform(report));
  },
};
