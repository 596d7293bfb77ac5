/** `recount schedule`: keeps a pipeline's schedule. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { CommandModule } from "yargs";
import type { Pipeline, Plan } from "../pipeline/index.js";
import { exitCodes, packageFile, settings, systemClock, UsageError } from "../platform/index.js";
import type { Schedule } from "./index.js";
import {
  connectionOptions,
  consoleLog,
  flagFor,
  interruptSignal,
  lakeFlag,
  logOptions,
  type LogOptions,
  type PlanArguments,
  quietOption,
  readPlan,
} from "../commands/index.js";

interface ScheduleArguments extends PlanArguments, LogOptions {
  quiet?: boolean;
  "health-port": number | undefined;
  "health-host": string | undefined;
}

const runOptions = { ...connectionOptions, ...lakeFlag, ...logOptions };
const passedOn = { ...runOptions, quiet: quietOption };

export const command: CommandModule<object, ScheduleArguments> = {
  command: "schedule <file>",
  describe: "Run a pipeline file whenever its schedule says so, until stopped",
  builder: (yargs) =>
    yargs
      .positional("file", {
        type: "string",
        demandOption: true,
        describe: "Pipeline file with a schedule, YAML",
      })
      .options(runOptions)
      .option("health-port", flagFor("health-port", settings.health_port))
      .option("health-host", {
        type: "string",
        describe: "Address that the health server listens on",
      })
      .example(
        "recount schedule pipelines/nightly.yaml --health-port 8081",
        "State at http://127.0.0.1:8081/readyz",
      ),
  handler: async (args) => {
    const { keepSchedule, serveHealth, starting } = await import("./index.js");
    const { readRuns, runsBefore } = await import("../lake/index.js");
    const log = consoleLog(args);
    let plan: Plan | undefined;
    const read = async () => {
      const now = await readPlan(args, process.env);
      plan = now.plan;
      return scheduleOf(args, now.pipeline);
    };
    const { host, port } = await read();
    const { pipelineMetrics } = await import("../pipeline/index.js");
    const metrics = async () =>
      plan === undefined ? "" : pipelineMetrics(plan, systemClock.now());
    let state = starting;
    const health =
      port === undefined ? undefined : await serveHealth(host, port, () => state, metrics);
    if (health)
      log.info(
        `Health at ${health.url}/healthz and ${health.url}/readyz, metrics at ` +
          `${health.url}/metrics.`,
      );
    const { signal, dispose } = interruptSignal(log);
    try {
      const ended = await keepSchedule(
        {
          read,
          runs: (now, warn) =>
            Promise.all(
              (plan?.projects ?? []).map(async ({ lake, project = "" }) =>
                runsBefore(await readRuns(lake, project), now, warn),
              ),
            ),
          run: () => runInChild(args, signal),
        },
        {
          clock: systemClock,
          log,
          signal,
          onState: (now) => (state = now),
          salt: JSON.stringify([
            hostname(),
            resolve(args.file),
            plan?.projects.map(({ project }) => project),
          ]),
        },
      );
      process.exitCode =
        ended === null || ended === exitCodes.interrupted ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      dispose();
      health?.close();
    }
  },
};

function scheduleOf(args: ScheduleArguments, { schedule }: Pipeline): Schedule {
  if (schedule === undefined)
    throw new UsageError(
      `${args.file} has no schedule. Add one, for example schedule: { cron: "0 2 * * *" }.`,
    );
  const {
    cron,
    timezone = "UTC",
    jitter = settings.jitter.default,
    catch_up = settings.catch_up.default,
  } = schedule;
  return {
    cron,
    timezone,
    jitter,
    catchUp: catch_up,
    host: args["health-host"] ?? schedule.host ?? "127.0.0.1",
    port: args["health-port"] ?? schedule.port,
  };
}

/** A run is the same as one from cron, and leaves no memory behind. A second signal kills it. */
async function runInChild(args: ScheduleArguments, signal: AbortSignal): Promise<number | null> {
  const given = Object.keys(passedOn).flatMap((flag) => {
    const value = args[flag as keyof typeof passedOn];
    if (value === undefined || value === false) return [];
    return value === true ? [`--${flag}`] : [`--${flag}`, value];
  });
  const bin = packageFile("bin/recount.js");
  // A process group of its own: Ctrl-C reaches the run through this process only, once.
  const child = spawn(process.execPath, [...process.execArgv, bin, "run", args.file, ...given], {
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  const stop = () => child.kill("SIGTERM");
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop);
  process.on("exit", kill);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code;
  } finally {
    signal.removeEventListener("abort", stop);
    process.off("exit", kill);
  }
}
