import type { CommandModule } from "yargs";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";
import { print } from "./console.js";
import { methodOf } from "./method.js";

interface TransformArguments extends SnapshotArguments {
  pipeline: string | undefined;
}

export const transformCommand: CommandModule<object, TransformArguments> = {
  command: "transform",
  describe: "Recompute every metric of a snapshot and write the models as Parquet files and a DuckDB database",
  builder: (yargs) =>
    yargs
      .options(snapshotOptions)
      .option("pipeline", { type: "string", describe: "Pipeline file with the conventions to compute under" })
      .example("$0 transform --lake lake", "Write lake/<project>/derived/<snapshot>/"),
  handler: async (args) => {
    const { conventionsWith } = await import("../metrics/index.js");
    const { transform } = await import("../pipeline/index.js");
    const { renderTransform } = await import("../report/index.js");
    const pipeline = await methodOf(args.pipeline);
    const project = await projectOf(args);
    const report = await transform(args.lake, project, {
      snapshot: args.snapshot,
      conventions: conventionsWith(pipeline.conventions ?? {}),
    });
    print(renderTransform(report));
  },
};
