import type { CommandModule } from "yargs";
import { auditOptions, auditSettings } from "./audit.js";
import { print } from "./console.js";
import { projectOf, type SnapshotArguments } from "./snapshot-options.js";

interface ExplainArguments extends SnapshotArguments {
  experiment: string;
  kind: string;
  item: string | undefined;
  pipeline: string | undefined;
  depth: number;
  rows: number;
}

export const explainCommand: CommandModule<object, ExplainArguments> = {
  command: "explain <experiment> <kind> [item]",
  describe: "Tell how a published number comes about, or why it does not",
  builder: (yargs) =>
    yargs
      .options(auditOptions)
      .positional("experiment", {
        type: "string",
        demandOption: true,
        describe: "Identifier or name of the experiment",
      })
      .positional("kind", {
        type: "string",
        demandOption: true,
        describe: "Metric: win_loss, percent_chosen, percent_approved, mean, stats, elo, bayesian_elo",
      })
      .positional("item", { type: "string", describe: "One item; without it all" })
      .option("rows", { type: "number", default: 30, describe: "Rows shown before the list is cut" })
      .example("$0 explain Voices5 percent_chosen --lake recount-demo/lake", "What the demo found"),
  handler: async (args) => {
    const { auditExitCode, auditLake, tellStory } = await import("../audit/index.js");
    const { renderStory } = await import("../report/index.js");
    const project = await projectOf(args);
    const settings = await auditSettings(args);
    const { report, warehouse } = await auditLake(args.lake, project, settings);
    try {
      const story = await tellStory(warehouse, report, settings.conventions, args);
      print(renderStory(story, args.rows));
      const summary = {
        exact: 0,
        within_tolerance: 0,
        explained: 0,
        unexplained: 0,
        not_auditable: 0,
        inconclusive: 0,
      };
      for (const { verdict } of story.parts.flatMap((part) => part.rows)) summary[verdict]++;
      process.exitCode = auditExitCode(summary, { compared: 0, equal: 0 });
    } finally {
      warehouse.close();
    }
  },
};
