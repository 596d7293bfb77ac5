import type { CommandModule, InferredOptionTypes } from "yargs";
import { consoleWidth, print } from "./console.js";
import { methodOption, projectOf, snapshotOptions } from "./flags.js";

/** Rows and numbers of each table that the console shows. */
const shownRows = 5;

const options = {
  lake: snapshotOptions.lake,
  project: snapshotOptions.project,
  json: { type: "boolean", default: false, describe: "Print JSON, with every number" },
  ...methodOption,
} as const;

export const command: CommandModule<
  object,
  InferredOptionTypes<typeof options> & { before: string | undefined; after: string | undefined }
> = {
  command: "diff [before] [after]",
  describe: "Compare two snapshots: rows by key, published results, recomputed numbers and ranks",
  builder: (yargs) =>
    yargs
      .positional("before", { type: "string", describe: "Earlier snapshot [default: the one before]" })
      .positional("after", { type: "string", describe: "Later snapshot [default: the newest]" })
      .options(options)
      .example("recount diff --lake lake", "Compare the newest two snapshots"),
  handler: async ({ lake, project, before, after, json, pipeline }) => {
    const { diffSnapshots } = await import("../audit/index.js");
    const { readMethod } = await import("../pipeline/index.js");
    const { renderDiff } = await import("../report/index.js");
    const chosen = await projectOf({ lake, project });
    const { conventions, shapes, records } = await readMethod(pipeline, chosen, process.env);
    const diff = await diffSnapshots(lake, chosen, { before, after, conventions, shapes, records });
    const asText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
    print(json ? JSON.stringify(diff, asText, 2) : renderDiff(diff, shownRows, consoleWidth()));
  },
};
