import type { CommandModule } from "yargs";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./flags.js";
import { print } from "./console.js";
import { engineOption, onEngine, type EngineArguments } from "./display.js";

const choices = ["all", "published"] as const;

interface TransformArguments extends SnapshotArguments, EngineArguments {
  models: (typeof choices)[number];
}

export const command: CommandModule<object, TransformArguments> = {
  command: "transform",
  describe: "Recompute every metric of a snapshot and write the models as Parquet files and a DuckDB database",
  builder: (yargs) =>
    yargs
      .options({ ...snapshotOptions, ...engineOption })
      .option("pipeline", { type: "string", describe: "Pipeline file with the conventions to compute under" })
      .option("models", {
        choices,
        default: "all" as const,
        describe: "Models to write: all, with data checks, or only the tables of the published kinds",
      })
      .example("recount transform --lake lake", "Write lake/<project>/derived/<snapshot>/"),
  handler: async (args) => {
    const { readMethod, transform } = await import("../pipeline/index.js");
    const { renderTransform } = await import("../report/index.js");
    const project = await projectOf(args);
    const { conventions } = await readMethod(args.pipeline, project, process.env);
    const { lake, snapshot, models } = args;
    const report = await onEngine(args, project, (cluster) =>
      transform(lake, project, { snapshot, models, conventions, cluster }),
    );
    print(renderTransform(report));
  },
};
