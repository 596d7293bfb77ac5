import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandModule } from "yargs";
import { consoleLog, logOptions, print, type LogOptions } from "./console.js";

interface DemoArguments extends LogOptions {
  lake: string | undefined;
}

export const demoCommand: CommandModule<object, DemoArguments> = {
  command: "demo",
  describe: "Export and audit the sample project of a local emulator",
  builder: (yargs) =>
    yargs
      .options(logOptions)
      .option("lake", { type: "string", describe: "Folder of the lake [default: recount-demo/lake]" })
      .example("$0 demo", "Try Recount without an account"),
  handler: async (args) => {
    const { startEmulator } = await import("../emulator/index.js");
    const { readPipeline, settingsOf } = await import("../pipeline/index.js");
    const { runWith } = await import("./run.js");
    const file = fileURLToPath(new URL("../../pipelines/demo.yaml", import.meta.url));
    const emulator = await startEmulator({});
    try {
      consoleLog(args).info(`Emulator at ${emulator.url}, project ${emulator.projectId}.`);
      const fromFile = await settingsOf(await readPipeline(file, {}), join(process.cwd(), "demo.yaml"));
      const settings = args.lake === undefined ? fromFile : { ...fromFile, lake: resolve(args.lake) };
      const env = {
        RECOUNT_BASE_URL: emulator.url,
        RECOUNT_PROJECT_ID: emulator.projectId,
        RECOUNT_API_KEY: emulator.apiKey,
      };
      process.exitCode = await runWith({ ...args, "key-file": undefined }, settings, env);
      print(`\nNext: npx recount query "select * from ratings limit 5" --lake ${settings.lake}`);
      print(`Open the report: ${settings.outputs.report ?? ""}`);
    } finally {
      await emulator.close();
    }
  },
};
