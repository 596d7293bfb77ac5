/** `recount explain`: how a published number was computed. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { auditOptions, auditSettings } from "./audit.js";
import { settings } from "../platform/index.js";
import { conclude, consoleWidth, print } from "./console.js";
import { flagFor, reading } from "./flags.js";

const options = {
  ...auditOptions,
  rows: flagFor("rows", settings.traced_rows),
} as const;

type ExplainArguments = InferredOptionTypes<typeof options> & {
  experiment: string;
  kind: string;
  item: string | undefined;
};

export const command: CommandModule<object, ExplainArguments> = {
  command: "explain <experiment> <kind> [item]",
  describe: "Explain how a published number was computed, or why it cannot be reproduced",
  builder: async (yargs) => {
    const { kinds } = await import("../metrics/index.js");
    return yargs
      .positional("experiment", {
        type: "string",
        demandOption: true,
        describe: "Identifier or name of the experiment",
      })
      .positional("kind", {
        type: "string",
        demandOption: true,
        describe: `Metric: ${kinds.join(", ")}`,
      })
      .positional("item", { type: "string", describe: "Item [default: all]" })
      .options(options)
      .example(
        "recount explain Voices5 percent_chosen --lake recount-demo/lake",
        "Explain the finding of the demo",
      );
  },
  handler: async (args) => {
    const { auditExitCode, auditLake, countVerdicts, traceNumbers } =
      await import("../audit/index.js");
    const { renderTrace, resultLine } = await import("../report/index.js");
    await reading(args, async (project, snapshot) => {
      const settings = await auditSettings({ ...args, snapshot }, project);
      const { report, warehouse } = await auditLake(args.lake, project, settings);
      try {
        const trace = await traceNumbers(warehouse, report, settings.conventions, args);
        print(renderTrace(trace, args.rows, consoleWidth()));
        const summary = countVerdicts(trace.parts.flatMap((part) => part.rows));
        conclude(auditExitCode(summary), resultLine({ summary, shortfalls: [] }));
      } finally {
        warehouse.close();
      }
    });
  },
};
