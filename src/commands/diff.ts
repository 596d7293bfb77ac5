import type { CommandModule } from "yargs";
import { print } from "./console.js";
import { projectOf, snapshotOptions, type SnapshotArguments } from "./flags.js";

interface DiffArguments extends Omit<SnapshotArguments, "snapshot"> {
  before: string | undefined;
  after: string | undefined;
  json: boolean;
  pipeline: string | undefined;
}

/** Rows and numbers of each table that the console shows. */
const shownRows = 5;

export const command: CommandModule<object, DiffArguments> = {
  command: "diff [before] [after]",
  describe: "Compare two snapshots: rows by key, published results, recomputed numbers and ranks",
  builder: (yargs) =>
    yargs
      .positional("before", { type: "string", describe: "Earlier snapshot [default: the one before]" })
      .positional("after", { type: "string", describe: "Later snapshot [default: the newest]" })
      .options({ lake: snapshotOptions.lake, project: snapshotOptions.project })
      .option("json", { type: "boolean", default: false, describe: "Print JSON, with every number" })
      .option("pipeline", { type: "string", describe: "Pipeline file with the conventions to compute under" })
      .example("recount diff --lake lake", "Compare the newest two snapshots"),
  handler: async ({ lake, project, before, after, json, pipeline }) => {
    const { diffSnapshots } = await import("../audit/index.js");
    const { readMethod } = await import("../pipeline/index.js");
    const { renderDiff } = await import("../report/index.js");
    const chosen = await projectOf({ lake, project });
    const { conventions } = await readMethod(pipeline, chosen, process.env);
    const diff = await diffSnapshots(lake, chosen, { before, after, conventions });
    const asText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
    print(json ? JSON.stringify(diff, asText, 2) : renderDiff(diff, shownRows));
  },
};
