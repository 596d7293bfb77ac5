/** Flags that several commands share. */
import { dirname, join } from "node:path";
import type { InferredOptionTypes } from "yargs";
import type { Retention } from "../lake/index.js";
import {
  allowedValues,
  type Choice,
  exists,
  fsp,
  located,
  type Setting,
  settings,
  UsageError,
} from "../platform/index.js";
import { warn } from "./console.js";

type ValueOf<S extends Setting> = S["type"] extends "boolean" ? boolean : number;

const isAllowed = (
  value: unknown,
  { type, minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER }: Setting,
) =>
  typeof value === "number" &&
  value >= minimum &&
  value <= maximum &&
  (type === "number" || Number.isInteger(value));

export function flagFor<S extends Setting>(name: string, setting: S) {
  const { type, minimum, maximum, description } = setting;
  const atLeast = minimum === undefined || minimum === 0 ? "" : `, at least ${minimum}`;
  const range = maximum === undefined ? atLeast : `, ${minimum ?? "any"} to ${maximum}`;
  return {
    type: type === "boolean" ? "boolean" : "number",
    default: setting.default as "default" extends keyof S ? ValueOf<S> : undefined,
    describe: description.replace(/\.$/, "").replace(/(?=;)|$/, range),
    coerce: (value: unknown): ValueOf<S> => {
      if (value === undefined || type === "boolean" || isAllowed(value, setting))
        return value as ValueOf<S>;
      const given = typeof value === "number" && !Number.isNaN(value) ? `, not ${value}` : "";
      throw new UsageError(`--${name} must be ${allowedValues(setting)}${given}.`);
    },
  } as const;
}

export const choiceFor = <S extends Choice>({ enum: words, default: chosen, description }: S) =>
  ({
    choices: words as S["enum"],
    default: chosen as S["enum"][number],
    describe: description.replace(/\.$/, ""),
  }) as const;

export const lakeOption = {
  lake: { type: "string", default: "lake", describe: "Folder of the lake" },
} as const;

export const snapshotOptions = {
  ...lakeOption,
  project: {
    type: "string",
    describe: "Project identifier [env RECOUNT_PROJECT_ID] [default: the only project of the lake]",
  },
  snapshot: {
    type: "string",
    describe: "Snapshot: its identifier, a unique prefix of it, or latest [default: the newest]",
  },
} as const;

const pipelineFiles = ["recount.yaml", "recount.yml", "pipeline.yaml"];

/** Takes the lake of the pipeline file, or what the current folder has, if no flag names one. */
export async function findHere(
  args: Record<string, unknown>,
  argv: readonly string[],
  known: readonly string[],
  say: (line: string) => void,
) {
  const isGiven = argv.some((token) => token === "--lake" || token.startsWith("--lake="));
  if (!known.includes("lake") || args.lake !== "lake" || isGiven) return;
  const isHere = typeof args.pipeline !== "string" && known.includes("pipeline");
  const here = isHere ? await Promise.all(pipelineFiles.map(exists)) : [];
  const file = args.pipeline ?? pipelineFiles[here.indexOf(true)];
  if (typeof file === "string") {
    const { readPipeline } = await import("../pipeline/index.js");
    const { lake } = await readPipeline(file, process.env, { only: ["lake"] });
    const project = (args.project as string | undefined) ?? process.env.RECOUNT_PROJECT_ID ?? "";
    const own = (lake ?? "lake").replaceAll("{project}", project);
    const isBeside = lake === undefined || dirname(file) === ".";
    args.lake = isBeside ? own : located(own, dirname(file));
    args.pipeline = file;
    if (isHere) say(`Found ${file}, whose lake is ${String(args.lake)}.`);
  } else if (!(await exists("lake"))) {
    const folders = await fsp.readdir(".");
    if (
      (await Promise.all(folders.map((folder) => exists(join(folder, "current"))))).includes(true)
    ) {
      args.lake = ".";
      say("Found a lake in the current folder.");
    }
  }
}

export const projectsOptions = {
  ...lakeOption,
  project: { type: "string", describe: "Only this project [env RECOUNT_PROJECT_ID]" },
} as const;

export type SnapshotArguments = InferredOptionTypes<typeof snapshotOptions>;

export const jsonOption = {
  json: { type: "boolean", default: false, describe: "Print JSON" },
} as const;

export const methodOption = {
  pipeline: { type: "string", describe: "Pipeline file with the conventions to compute under" },
} as const;

export const fullOption = {
  full: {
    type: "boolean",
    default: false,
    describe: "Compute everything again, and reuse no earlier result",
  },
} as const;

/** The project of the flag, else of the environment, else the only one of the lake. */
export async function projectOf({
  lake,
  project,
}: Pick<SnapshotArguments, "lake" | "project">): Promise<string> {
  const { chooseProject } = await import("../lake/index.js");
  return chooseProject(lake, project ?? process.env.RECOUNT_PROJECT_ID);
}

/** Works again over the current snapshot if a run has pruned the one before meanwhile. */
export async function reading<T>(
  args: Pick<SnapshotArguments, "lake" | "project" | "snapshot">,
  work: (project: string, snapshot: string | undefined) => Promise<T>,
): Promise<T> {
  const { overSnapshot } = await import("../lake/index.js");
  const project = await projectOf(args);
  return overSnapshot(args.lake, project, args.snapshot, (id) => work(project, id), warn);
}

export const keepOptions = {
  "keep-last": flagFor("keep-last", settings.keep_last),
  "keep-daily": flagFor("keep-daily", settings.keep_daily),
  "keep-monthly": flagFor("keep-monthly", settings.keep_monthly),
  "keep-yearly": flagFor("keep-yearly", settings.keep_yearly),
  "keep-models": flagFor("keep-models", settings.keep_models),
} as const;

type KeepArguments = InferredOptionTypes<typeof keepOptions>;

/** Null if no flag names snapshots. */
export function retentionFlags(args: KeepArguments): Retention | null {
  const {
    "keep-last": last,
    "keep-daily": daily,
    "keep-monthly": monthly,
    "keep-yearly": yearly,
  } = args;
  const isSaid = [last, daily, monthly, yearly].some((count) => count !== undefined);
  return isSaid ? { last, daily, monthly, yearly, models: args["keep-models"] } : null;
}
