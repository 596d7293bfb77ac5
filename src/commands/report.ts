import type { CommandModule, InferredOptionTypes } from "yargs";
import { checkOutput, withoutSecrets, writeNew, writeOutput } from "../platform/index.js";
import { auditOptions, auditSettings } from "./audit.js";
import { conclude, print } from "./console.js";
import { engineOption, onEngine } from "./display.js";
import { reading } from "./flags.js";

const options = {
  ...auditOptions,
  ...engineOption,
  output: { alias: "o", type: "string", default: "report.html", describe: "HTML file" },
} as const;

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "report",
  describe: "Write an audit as one HTML page with verdicts, rankings and plots",
  builder: (yargs) =>
    yargs.options(options).example("recount report --lake lake -o report.html", "Report on the newest snapshot"),
  handler: async (args) => {
    const { auditExitCode, auditLake } = await import("../audit/index.js");
    const { reportPage, resultLine } = await import("../report/index.js");
    const { output } = args;
    await checkOutput(output);
    const { report } = await reading(args, async (project, snapshot) => {
      const settings = await auditSettings({ ...args, snapshot }, project);
      return onEngine(args, project, async (cluster) => {
        const audited = await auditLake(args.lake, project, { ...settings, statistics: true, kept: "read", cluster });
        try {
          const page = await reportPage(args.lake, audited, settings.conventions, withoutSecrets);
          await writeOutput(output, (file) => writeNew(file, page));
        } finally {
          audited.warehouse.close();
        }
        return audited;
      });
    });
    print(`Wrote ${output}`);
    conclude(auditExitCode(report.summary, report.correctness, report.shortfalls), resultLine(report));
  },
};
