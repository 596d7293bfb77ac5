import { resolve } from "node:path";
import type { CommandModule } from "yargs";
import type { Settings } from "../pipeline/index.js";
import { connectionOf, connectionOptions, projectId, type ConnectionArguments } from "./connection.js";
import { exitCodes, systemClock } from "../platform/index.js";
import { consoleLog, logOptions, print, printError, withoutSecrets, type LogOptions } from "./console.js";
import { exporting } from "./exporting.js";
import { failureOf } from "./failure.js";

interface RunArguments extends ConnectionArguments, LogOptions {
  file: string;
  lake: string | undefined;
  "allow-shrink": boolean;
}

export const runCommand: CommandModule<object, RunArguments> = {
  command: "run <file>",
  describe: "Export, recompute and audit, as configured in a pipeline file",
  builder: (yargs) =>
    yargs
      .positional("file", { type: "string", demandOption: true, describe: "Pipeline file, YAML" })
      .options({ ...connectionOptions, ...logOptions })
      .option("lake", { type: "string", describe: "Folder of the lake; takes precedence over the file" })
      .option("allow-shrink", {
        type: "boolean",
        default: false,
        describe: "Publish even if a table lost more rows than the file allows",
      })
      .example("$0 run pipelines/nightly.yaml", "Needs RECOUNT_BASE_URL, RECOUNT_PROJECT_ID and RECOUNT_API_KEY")
      .example(
        "$0 run pipelines/nightly.yaml --base-url http://127.0.0.1:8080 --project Listen42",
        "Needs RECOUNT_API_KEY",
      ),
  handler: async (args) => {
    const { readPipeline, settingsOf } = await import("../pipeline/index.js");
    const { env } = process;
    const [lake, keyFile] = [args.lake, args["key-file"]].map((path) =>
      path === undefined ? undefined : resolve(path),
    );
    const given = {
      "service.base_url": args["base-url"] ?? defined(env).RECOUNT_BASE_URL,
      "service.project": args.project ?? defined(env).RECOUNT_PROJECT_ID,
      "service.key_file": keyFile,
      lake,
    };
    const fromFile = await settingsOf(await readPipeline(args.file, env, { given }), args.file);
    const shrink = { ...fromFile.shrink, allow: args["allow-shrink"] || fromFile.shrink.allow };
    const settings = { ...fromFile, shrink, ...(lake === undefined ? {} : { lake }) };
    process.exitCode = await runWith(args, settings, process.env);
  },
};

/** Runs `settings`, with flags and environment taking precedence. Prints the results and returns the exit code. */
export async function runWith(
  args: ConnectionArguments & LogOptions,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { recorded, runPipeline } = await import("../pipeline/index.js");
  const { exportLine, notWholeLine, renderAudit, renderChecks, renderLeaderboards, resultLine } =
    await import("../report/index.js");
  const filled = { RECOUNT_BASE_URL: settings.baseUrl, RECOUNT_PROJECT_ID: settings.project, ...defined(env) };
  const { caFile, clientCert, clientKey } = settings;
  const own = {
    ...{ "ca-file": caFile, "client-cert": clientCert, "client-key": clientKey },
    ...defined(args),
    "key-file": args["key-file"] ?? (env.RECOUNT_API_KEY ? undefined : settings.keyFile),
  };
  const place = { ...settings, project: args.project ?? filled.RECOUNT_PROJECT_ID ?? null };
  const effects = { clock: systemClock, log: consoleLog(args), redact: withoutSecrets, failureOf };
  const report = await recorded(place, effects, async () => {
    const project = projectId(args, filled);
    return exporting(args, await connectionOf(own, filled), ({ client, log, onProgress, stop }) =>
      runPipeline(client, project, settings, { log, onProgress, afterExport: stop }),
    );
  });
  if (args.quiet) {
    if (report.exitCode !== exitCodes.ok) printError(`recount: ${resultLine(report.audit)}`);
    return report.exitCode;
  }
  const { log } = effects;
  log.info(exportLine(report.exported));
  if (report.exported.shortfalls.length > 0) log.warn(notWholeLine(report.exported.shortfalls));
  print(renderLeaderboards(report.audit));
  print(renderAudit(report.audit));
  print(renderChecks(report.recomputed.checks));
  print(["Wrote:", report.exported.dir, ...report.files].join("\n  "));
  return report.exitCode;
}

const defined = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== "")) as Partial<T>;
