import type { CommandModule } from "yargs";
import { exitCodes } from "../errors.js";
import { print } from "./console.js";
import { snapshotOptions, type SnapshotArguments } from "./snapshot-options.js";

export const verifyCommand: CommandModule<object, SnapshotArguments> = {
  command: "verify",
  describe: "Re-check every digest, count and schema of the lake, without the service",
  builder: (yargs) =>
    yargs
      .options({ ...snapshotOptions, snapshot: { type: "string", describe: "Only this snapshot; without it, all" } })
      .example("$0 verify --lake lake", "Verify every snapshot of a lake"),
  handler: async (args) => {
    const { chooseProject, verifyProject } = await import("../lake/index.js");
    const { verifyText } = await import("../report/index.js");
    const project = await chooseProject(args.lake, args.project ?? process.env.RECOUNT_PROJECT_ID);
    const report = await verifyProject(args.lake, project, args.snapshot);
    print(verifyText(report));
    if (report.problems.length > 0) process.exitCode = exitCodes.export;
  },
};
