import type { CommandModule } from "yargs";
import { print } from "./console.js";
import { projectsOf, projectsOptions } from "./snapshot-options.js";

interface MigrateArguments {
  lake: string;
  project: string | undefined;
  "dry-run": boolean;
  json: boolean;
}

export const migrateCommand: CommandModule<object, MigrateArguments> = {
  command: "migrate",
  describe: "Move snapshots of earlier formats to the present layout, which uses less space",
  builder: (yargs) =>
    yargs
      .options(projectsOptions)
      .option("dry-run", { type: "boolean", default: false, describe: "Only print what would be migrated" })
      .option("json", { type: "boolean", default: false, describe: "Print JSON" })
      .example("$0 migrate --lake lake --dry-run", "Show which snapshots have an earlier format")
      .example("$0 migrate --lake lake", "Verify the lake, migrate it, and verify it again"),
  handler: async (args) => {
    const { lake, "dry-run": isDryRun, json } = args;
    const { migrateProject } = await import("../lake/index.js");
    const { migrationText } = await import("../report/index.js");
    const projects = await projectsOf(args);
    const all = [];
    for (const one of projects) all.push(await migrateProject(lake, one, { isDryRun }));
    print(json ? JSON.stringify(all, null, 2) : migrationText(all, isDryRun));
  },
};
