// `recount demo`: exports and audits the sample project of an emulator that it starts.
import { basename, dirname, join, relative } from "node:path";
import type { CommandModule, InferredOptionTypes } from "yargs";
import type { Display } from "../pipeline/index.js";
import { packageFile } from "../platform/index.js";
import { consoleIo, consoleLog, logOptions, print, runPlan } from "../commands/index.js";

const options = {
  ...logOptions,
  lake: { type: "string", describe: "Folder of the lake [default: recount-demo/lake]" },
} as const;

/** Without the lines about single experiments. */
const brief = (display: Display): Display => ({
  ...display,
  log: {
    ...display.log,
    info: (message, fields) => {
      if (!/^ {2}| experiments\.$/.test(message)) display.log.info(message, fields);
    },
  },
});

export const command: CommandModule<object, InferredOptionTypes<typeof options>> = {
  command: "demo",
  describe: "Export and audit the sample project of a local emulator",
  builder: (yargs) =>
    yargs.options(options).example("recount demo", "Try Recount without an account"),
  handler: async (args) => {
    const { startEmulator } = await import("./index.js");
    const { located } = await import("../platform/index.js");
    const { planOf, readPipeline } = await import("../pipeline/index.js");
    const file = packageFile("pipelines/demo.yaml");
    const io = await consoleIo(args);
    const emulator = await startEmulator({});
    try {
      consoleLog(args).info(`Emulator at ${emulator.url}, project ${emulator.projectId}.`);
      const plan = await planOf(await readPipeline(file, {}), join(process.cwd(), "demo.yaml"), {
        service: { base_url: emulator.url, project: emulator.projectId },
        ...(args.lake === undefined ? {} : { lake: located(args.lake) }),
      });
      process.exitCode = await runPlan(
        plan,
        args.verbose ? io : { ...io, show: () => brief(io.show()) },
        {
          RECOUNT_API_KEY: emulator.apiKey,
        },
      );
      const [{ lake, outputs } = { lake: "", outputs: {} }] = plan.projects;
      print(
        `Next: open ${outputs.report ?? ""} or run ${startedAs()} query "show tables" --lake ` +
          lake,
      );
    } finally {
      io.dispose();
      await emulator.close();
    }
  },
};

/** So that the next command needs nothing from a registry. */
function startedAs(): string {
  const [, script = ""] = process.argv;
  const own = relative(process.cwd(), script);
  if (basename(script) !== "recount") return `node ${own}`;
  if (own === join("node_modules", ".bin", "recount")) return "npx recount";
  return basename(dirname(script)) === ".bin" ? own : "recount";
}
