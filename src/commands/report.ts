/** `recount report`: writes an audit as one HTML page. */
import type { CommandModule, InferredOptionTypes } from "yargs";
import { withoutSecrets } from "../client/index.js";
import { checkOutput, exitCodes, writeNew, writeOutput } from "../platform/index.js";
import { auditOptions, auditSettings } from "./audit.js";
import { conclude, print, warn } from "./console.js";
import { exitMeanings } from "./failure.js";
import { engineOption, onEngine } from "./display.js";
import { fullOption, reading } from "./flags.js";

const options = {
  ...auditOptions,
  ...engineOption,
  ...fullOption,
  output: { alias: "o", type: "string", default: "report.html", describe: "HTML file" },
} as const;

/** Bytes of parts: with statistics, a batch takes twice the memory of a transform's. */
const partsTogether = 6e6;

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "report",
  describe: "Write an audit as one HTML page with verdicts, rankings and plots",
  builder: (yargs) =>
    yargs
      .options(options)
      .example("recount report --lake lake -o report.html", "Report on the newest snapshot"),
  handler: async (args) => {
    const { auditExitCode, auditOnce } = await import("../audit/index.js");
    const { reportPage, resultLine } = await import("../report/index.js");
    const { output } = args;
    await checkOutput(output);
    const { report } = await reading(args, async (project, snapshot) => {
      const settings = await auditSettings({ ...args, snapshot }, project);
      return onEngine(args, project, async (cluster) => {
        const audited = await auditOnce(args.lake, project, {
          ...settings,
          models: "audited",
          statistics: true,
          together: partsTogether,
          isFull: args.full,
          cluster,
          warn,
        });
        try {
          const data = await audited.open();
          const page = await reportPage(data, withoutSecrets);
          await writeOutput(output, (file) => writeNew(file, page));
        } finally {
          audited.close();
        }
        return audited;
      });
    });
    print(`Wrote ${output}`);
    const code = auditExitCode(report.summary, report.correctness, report.shortfalls);
    const line = resultLine(report);
    if (code !== exitCodes.ok)
      print(`Exit code ${code} (${exitMeanings[code]}): see the page. ${line}`);
    conclude(code, line);
  },
};
