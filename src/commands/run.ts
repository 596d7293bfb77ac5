import { resolve } from "node:path";
import type { CommandModule } from "yargs";
import type { Plan, ProjectPipeline, Settings } from "../pipeline/index.js";
import { systemClock, type ExitCode } from "../platform/index.js";
import { connectionOf, connectionOptions, network, type ConnectionArguments } from "./connection.js";
import { hide, logOptions, withoutSecrets, type LogOptions } from "./console.js";
import { failureOf } from "./failure.js";
import { pseudonymsOf } from "./pseudonyms.js";
import { consoleIo, type RunIo } from "./run-io.js";
import { showEnd, showEnds } from "./run-results.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface RunArguments extends ConnectionArguments, LogOptions {
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
    const io = await consoleIo(args);
    try {
      process.exitCode = await runFile(args, io);
    } finally {
      io.dispose();
    }
  },
};

/**
 * Runs a pipeline file as `recount run` does and returns the exit code. Everything that it says goes through `io`.
 * @throws UsageError if the file is not valid.
 */
export async function runFile(args: RunArguments, io: RunIo, env: Environment = process.env): Promise<ExitCode> {
  const { planOf, readPipeline } = await import("../pipeline/index.js");
  const isSet = (name: string) => env[name] !== undefined && env[name] !== "";
  const absolute = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  const service = {
    base_url: args["base-url"] ?? (isSet("RECOUNT_BASE_URL") ? env.RECOUNT_BASE_URL : undefined),
    key_file: absolute(args["key-file"]),
    ca_file: absolute(args["ca-file"]),
    client_cert: absolute(args["client-cert"]),
    client_key: absolute(args["client-key"]),
  };
  const only = isSet("RECOUNT_PROJECT_ID") ? env.RECOUNT_PROJECT_ID : undefined;
  const lake = absolute(args.lake);
  const pipeline = await readPipeline(args.file, env, {
    given: {
      "service.base_url": service.base_url,
      "service.project": args.project ?? only,
      "service.key_file": service.key_file,
      lake,
    },
  });
  // A file with projects says which ones; the variable of one project does not choose among them.
  const project = args.project ?? (pipeline.projects === undefined ? only : undefined);
  const shrink = args["allow-shrink"] ? { allow_shrink: true } : {};
  const given = { service: { ...service, project }, lake, export: shrink } as ProjectPipeline;
  return runPlan(await planOf(pipeline, args.file, given), io, env, args);
}

/** Runs the projects of a plan with the credentials of the environment, and shows their results. */
export async function runPlan(
  plan: Plan,
  io: RunIo,
  env: Environment,
  args: Pick<ConnectionArguments, "key-file"> = {},
): Promise<ExitCode> {
  const { runPipeline } = await import("../pipeline/index.js");
  const connection = (settings: Settings) => ({
    "base-url": settings.baseUrl,
    "key-file": args["key-file"] ?? (env.RECOUNT_API_KEY ? undefined : settings.keyFile),
    ...{ "ca-file": settings.caFile, "client-cert": settings.clientCert, "client-key": settings.clientKey },
  });
  const { exitCode, ends } = await runPipeline(plan, {
    ...{ clock: systemClock, redact: withoutSecrets, hide, failureOf, signal: io.signal },
    connect: (settings) => connectionOf(connection(settings), env),
    network: (settings) => network(connection(settings), env),
    pseudonymsOf: async ({ pseudonymise }) =>
      pseudonymise && pseudonymsOf(env.RECOUNT_PSEUDONYM_KEY ? undefined : pseudonymise.keyFile, env),
    show({ project = "" }, nth, count) {
      const display = io.show();
      if (plan.isMany) display.log.info(`Project ${project} (${nth} of ${count})`);
      return display;
    },
    onEnd: (end) => showEnd(end, plan, io),
  });
  if (plan.isMany) await showEnds(exitCode, ends, plan, io);
  return exitCode;
}
