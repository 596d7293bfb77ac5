import type { CommandModule } from "yargs";
import type { Plan, RunContext, Settings } from "../pipeline/index.js";
import { hide, systemClock, withoutSecrets, type ExitCode } from "../platform/index.js";
import { connectionOf, connectionOptions, network, type ConnectionArguments } from "./connection.js";
import { logOptions, warn, type LogOptions } from "./console.js";
import { engineOption } from "./engine.js";
import { failureOf } from "./failure.js";
import { pseudonymsOf } from "./pseudonyms.js";
import { lakeFlag, readPlan, type Environment, type PlanArguments } from "./read-plan.js";
import { consoleIo, type RunIo } from "./run-io.js";
import { showEnd, showEnds } from "./run-results.js";
import { withTelemetry } from "./telemetry.js";

interface RunArguments extends PlanArguments, LogOptions {}

export const runCommand: CommandModule<object, RunArguments> = {
  command: "run <file>",
  describe: "Export, recompute and audit, as configured in a pipeline file",
  builder: (yargs) =>
    yargs
      .positional("file", { type: "string", demandOption: true, describe: "Pipeline file, YAML" })
      .options({ ...connectionOptions, ...lakeFlag, ...engineOption, ...logOptions })
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
      const { plan } = await readPlan(args, process.env);
      process.exitCode = await runPlan(plan, io, process.env, args);
    } finally {
      io.dispose();
    }
  },
};

/** How a project's service is reached: from its settings, the flags and the environment. */
function connectionArguments(args: Pick<ConnectionArguments, "key-file">, env: Environment, settings: Settings) {
  return {
    "base-url": settings.baseUrl,
    "key-file": args["key-file"] ?? (env.RECOUNT_API_KEY ? undefined : settings.keyFile),
    ...{ "ca-file": settings.caFile, "client-cert": settings.clientCert, "client-key": settings.clientKey },
  };
}

export const connectWith = (args: Pick<ConnectionArguments, "key-file">, env: Environment) => (settings: Settings) =>
  connectionOf(connectionArguments(args, env, settings), env);

/** Runs the projects of a plan with the credentials of the environment, and shows their results. */
export async function runPlan(
  plan: Plan,
  io: RunIo,
  env: Environment,
  args: Pick<ConnectionArguments, "key-file"> = {},
): Promise<ExitCode> {
  const { runPipeline } = await import("../pipeline/index.js");
  const context: RunContext = {
    ...{ clock: systemClock, redact: withoutSecrets, hide, failureOf, signal: io.signal },
    connect: connectWith(args, env),
    network: (settings) => network(connectionArguments(args, env, settings), env),
    pseudonymsOf: async ({ pseudonymise }) =>
      pseudonymise && pseudonymsOf(env.RECOUNT_PSEUDONYM_KEY ? undefined : pseudonymise.keyFile, env),
    show({ project = "" }, nth, count) {
      const display = io.show();
      if (plan.isMany) display.log.info(`Project ${project} (${nth} of ${count})`);
      return display;
    },
    onEnd: (end) => showEnd(end, plan, io),
  };
  const { exitCode, ends } = await withTelemetry(env, warn, () => runPipeline(plan, context));
  if (plan.isMany) await showEnds(exitCode, ends, plan, io);
  return exitCode;
}
