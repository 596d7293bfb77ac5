import type { CommandModule, InferredOptionTypes } from "yargs";
import { print } from "./console.js";
import { jsonOption, keepOptions, projectsOf, projectsOptions, retentionFlags } from "./flags.js";

const options = {
  ...projectsOptions,
  ...keepOptions,
  ...jsonOption,
} as const;

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "du",
  describe: "Show how much space each project of a lake uses, and how much pruning would free",
  builder: (yargs) =>
    yargs
      .options(options)
      .example(
        "recount du --lake lake",
        "See what pruning to the defaults of `recount run` would free",
      )
      .example(
        "recount du --keep-last 7 --keep-monthly 12",
        "See what pruning to these would free",
      ),
  handler: async (args) => {
    const { lake, json } = args;
    const { defaultRetention, measureProject, pruneSnapshots } = await import("../lake/index.js");
    const { usageText } = await import("../report/index.js");
    const projects = await projectsOf(args);
    const retention = retentionFlags(args) ?? defaultRetention;
    const all = await Promise.all(
      projects.map(async (one) => ({
        ...(await measureProject(lake, one)),
        prune: await pruneSnapshots(lake, one, retention, { isDryRun: true }),
      })),
    );
    print(json ? JSON.stringify(all, null, 2) : usageText(all));
  },
};
