/** `recount run`: runs the projects of a pipeline file. */
import { dirname, resolve } from "node:path";
import type { CommandModule } from "yargs";
import type {
  Pipeline,
  Plan,
  ProjectPipeline,
  RunContext,
  RunEnd,
  Settings,
} from "../pipeline/index.js";
import { hide, withoutSecrets } from "../client/index.js";
import {
  counted,
  type Environment,
  type ExitCode,
  exitCodes,
  systemClock,
} from "../platform/index.js";
import {
  type ConnectionArguments,
  connectionOf,
  connectionOptions,
  network,
  pseudonymsOf,
} from "./connection.js";
import { consoleWidth, isQuiet, logOptions, type LogOptions } from "./console.js";
import { consoleIo, type EngineArguments, engineOption, type RunIo } from "./display.js";
import { failureOf, reportFailure } from "./failure.js";

interface RunArguments extends PlanArguments, LogOptions {}

export const command: CommandModule<object, RunArguments> = {
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
      .example(
        "recount run pipelines/nightly.yaml",
        "Needs RECOUNT_BASE_URL, RECOUNT_PROJECT_ID and RECOUNT_API_KEY",
      )
      .example(
        "recount run pipelines/nightly.yaml --base-url http://127.0.0.1:8080 --project Listen42",
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

/** From the settings, the flags and the environment. */
function connectionArguments(
  args: Pick<ConnectionArguments, "key-file">,
  env: Environment,
  settings: Settings,
) {
  return {
    "base-url": settings.baseUrl,
    "key-file": args["key-file"] ?? (env.RECOUNT_API_KEY ? undefined : settings.keyFile),
    "retry-for": settings.retryFor,
    ...{
      "ca-file": settings.caFile,
      "client-cert": settings.clientCert,
      "client-key": settings.clientKey,
    },
  };
}

export const connectWith =
  (args: Pick<ConnectionArguments, "key-file">, env: Environment) => (settings: Settings) =>
    connectionOf(connectionArguments(args, env, settings), env);

export async function runPlan(
  plan: Plan,
  io: RunIo,
  env: Environment,
  args: Pick<ConnectionArguments, "key-file"> = {},
): Promise<ExitCode> {
  const { runPipeline } = await import("../pipeline/index.js");
  const context: RunContext = {
    clock: systemClock,
    redact: withoutSecrets,
    hide,
    failureOf,
    signal: io.signal,
    connect: connectWith(args, env),
    network: (settings) => network(connectionArguments(args, env, settings), env),
    pseudonymsOf: async ({ pseudonymise }) =>
      pseudonymise &&
      pseudonymsOf(env.RECOUNT_PSEUDONYM_KEY ? undefined : pseudonymise.keyFile, env),
    show({ project = "" }, nth, count) {
      const display = io.show();
      if (plan.isMany) display.log.info(`Project ${project} (${nth} of ${count})`);
      return display;
    },
    onEnd: (end) => showEnd(end, plan, io),
  };
  const { exitCode, ends } = await runPipeline(plan, context);
  if (plan.isMany) await showEnds(exitCode, ends, plan, io);
  return exitCode;
}

export interface PlanArguments extends ConnectionArguments {
  file: string;
  lake: string | undefined;
  "allow-shrink"?: boolean;
  engine?: EngineArguments["engine"];
}

export const lakeFlag = {
  lake: { type: "string", describe: "Folder of the lake; takes precedence over the file" },
} as const;

async function studyIn(
  { import: mapping, service }: Pipeline,
  file: string,
): Promise<string | undefined> {
  if (mapping === undefined || service?.project !== undefined) return undefined;
  const { readStudy } = await import("../pipeline/index.js");
  const own = typeof mapping === "string" ? resolve(dirname(file), mapping) : mapping;
  return (await readStudy(own, file)).study.id;
}

/** Flags take precedence over the environment, and that over the file. @throws UsageError */
export async function readPlan(
  args: PlanArguments,
  env: Environment,
): Promise<{ pipeline: Pipeline; plan: Plan }> {
  const { located } = await import("../platform/index.js");
  const { chosenEngine, planOf, readPipeline } = await import("../pipeline/index.js");
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
  const lake = args.lake === undefined ? undefined : located(args.lake);
  const pipeline = await readPipeline(args.file, env, {
    given: {
      "service.base_url": service.base_url,
      "service.project": args.project ?? only,
      "service.key_file": service.key_file,
      lake,
    },
  });
  // A file with projects says which ones; the variable of one project does not choose among them.
  const project =
    args.project ??
    (pipeline.projects === undefined ? (only ?? (await studyIn(pipeline, args.file))) : undefined);
  const shrink = args["allow-shrink"] ? { allow_shrink: true } : {};
  const engine = await chosenEngine(args.engine, pipeline.engine, env);
  const given = {
    service: { ...service, project },
    lake,
    export: shrink,
    engine,
  } as ProjectPipeline;
  return { pipeline, plan: await planOf(pipeline, args.file, given) };
}

async function outcomeLine({ record, report }: RunEnd): Promise<string> {
  const { resultLine } = await import("../report/index.js");
  return record.error ?? (report === null ? "" : resultLine(report.audit));
}

async function showEnd(end: RunEnd, { isMany }: Plan, io: RunIo): Promise<void> {
  const { report, exitCode, log, record } = end;
  const fields = { run: record.run, project: record.project };
  if (report === null) {
    if (!isMany) reportFailure(end.error, io.printError, fields);
    else if (!isQuiet()) log.error(record.error ?? "", { exit_code: exitCode });
    return;
  }
  const { notWholeLine, renderAudit, renderChecks } = await import("../report/index.js");
  const { exported, audit, recomputed, files } = report;
  if (exported.shortfalls.length > 0) log.warn(notWholeLine(exported.shortfalls));
  if (isMany) io.print(`Project ${record.project ?? ""}\n`);
  io.print(renderAudit(audit, { width: consoleWidth(), isVerbose: io.isVerbose }));
  io.print(renderChecks(recomputed.checks));
  io.print(["Wrote:", exported.dir, ...files].join("\n  "));
  if (!isMany) io.conclude(exitCode, await outcomeLine(end), fields);
}

/** Says the same words only once. */
async function showEnds(
  exitCode: ExitCode,
  ends: readonly RunEnd[],
  { projects }: Plan,
  io: RunIo,
): Promise<void> {
  const all = counted(projects.length, "project");
  if (exitCode === exitCodes.ok) {
    io.conclude(exitCode, `${all} succeeded.`);
    return;
  }
  const failed = ends.filter((end) => end.exitCode !== exitCodes.ok);
  const byLine = new Map<string, string[]>();
  for (const end of failed) {
    const line = await outcomeLine(end);
    byLine.set(line, [...(byLine.get(line) ?? []), end.record.project ?? ""]);
  }
  const left = projects.slice(ends.length).map(({ project = "" }) => project);
  const said = [...byLine].map(([line, names]) => `${names.join(", ")}: ${line}`);
  if (left.length > 0) said.push(`Not run: ${left.join(", ")}.`);
  io.printError(`recount: ${failed.length} of ${all} did not succeed. ${said.join(" ")}`, {
    exit_code: exitCode,
  });
}
