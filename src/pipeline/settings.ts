/** The settings of each project of a pipeline, with every default filled in. */
import { dirname, resolve } from "node:path";
import {
  type Acceptance,
  type Ignored,
  readTolerances,
  type RecordShapes,
  type ScoreShapes,
  type Tolerances,
} from "../audit/index.js";
import { checkIdentifier, isTableName, type TableName } from "../contract/index.js";
import { everything } from "../extract/index.js";
import { defaultRetention, type Retention } from "../lake/index.js";
import { type Conventions, conventionsWith } from "../metrics/index.js";
import { credentialsIn } from "../client/index.js";
import {
  choices,
  listed,
  settings,
  messageOf,
  UsageError,
  type Environment,
  isMap,
  located as locatedFrom,
} from "../platform/index.js";
import { sparkAddress, type SparkAddress } from "../warehouse/index.js";
import type { Notices } from "./notices.js";
import { type OutputFiles, outputNames } from "./outputs.js";
import type { Pipeline, ProjectPipeline } from "./schema.js";

/** How numbers are computed, read and compared: the keys that matter offline. */
export interface Method {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly shapes: ScoreShapes;
  readonly records: RecordShapes;
  readonly accept: readonly Acceptance[];
  readonly ignore: readonly Ignored[];
}

const methodKeys = [
  "conventions",
  "tolerances",
  "accept",
  "ignore",
  "score_shapes",
  "record_shapes",
] as const;

function methodIn(pipeline: Pick<ProjectPipeline, (typeof methodKeys)[number]>): Method {
  return {
    conventions: conventionsWith(pipeline.conventions ?? {}),
    tolerances: readTolerances(pipeline.tolerances ?? {}),
    shapes: pipeline.score_shapes ?? {},
    records: pipeline.record_shapes ?? {},
    accept: pipeline.accept ?? [],
    ignore: pipeline.ignore ?? [],
  };
}

export const engines = ["duckdb", "spark"] as const;

/**
 * What the flag chooses, or what the pipeline says.
 * @throws UsageError if nothing says where Spark is
 */
export function chosenEngine(
  flag: (typeof engines)[number] | undefined,
  stated: Pipeline["engine"],
  { SPARK_REMOTE: remote }: Environment,
): Pipeline["engine"] {
  if (flag !== "spark") return flag ?? stated;
  if (typeof stated === "object") return stated;
  if (remote) return { spark: { connect: remote } };
  throw new UsageError(
    "--engine spark needs an address: set SPARK_REMOTE=sc://host:15002, or " +
      "engine.spark.connect in the pipeline file.",
  );
}

/** Null if DuckDB runs all models. @throws UsageError */
const addressIn = ({
  engine,
}: {
  readonly engine?: ProjectPipeline["engine"] | undefined;
}): SparkAddress | null => (typeof engine === "object" ? sparkAddress(engine.spark.connect) : null);

const { concurrency, retry_for, keep_raw, mask_secrets, max_shrink, allow_shrink } = settings;

export type Settings = ReturnType<typeof projectSettingsOf>;

function retentionSetting({ keep }: ProjectPipeline): Retention | null {
  if (keep === "all") return null;
  return keep === undefined ? defaultRetention : { models: defaultRetention.models, ...keep };
}

const placeholder = "{project}";

/** @throws UsageError unless a report is made for it */
function reportUrl(
  { report_url: given, outputs = {} }: ProjectPipeline,
  project: string | undefined,
  file: string,
): string | undefined {
  if (given === undefined) return undefined;
  if (!(/^https?:\/\//.test(given) && URL.canParse(given)))
    throw new UsageError(
      `${file}: report_url must be an http or https address, not ${JSON.stringify(given)}, ` +
        "for example https://reports.example.org/night.html.",
    );
  if (outputs.report === undefined)
    throw new UsageError(`${file}: report_url needs outputs.report, the file of the report.`);
  return given.replaceAll(placeholder, project ?? "");
}

/** @throws UsageError, which does not show an address */
function noticesOf(
  { on_failure, on_unexplained, on_success }: ProjectPipeline,
  file: string,
): Notices {
  const notices = { on_failure, on_unexplained, on_success };
  for (const [name, notice] of Object.entries(notices)) {
    if (notice === undefined) continue;
    const { command, url, form } = notice;
    if ((command === undefined) === (url === undefined))
      throw new UsageError(`${file}: ${name} needs either a command or a url.`);
    if (url === undefined && form !== undefined)
      throw new UsageError(`${file}: ${name}.form goes with a url only.`);
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw new UsageError(`${file}: ${name}.url is not an http or https address.`);
    if (url !== undefined) credentialsIn(new URL(url), `${file}: ${name}.url`);
  }
  return notices;
}

/**
 * Paths are relative to the folder of `file`, and `{project}` in them stands for the project.
 * @throws UsageError
 */
export function projectSettingsOf(pipeline: ProjectPipeline, file: string) {
  const project = pipeline.service?.project;
  const located = (path: string) => {
    if (project === undefined && path.includes(placeholder))
      throw new UsageError(
        `${file}: the path ${path} needs a project: pass --project or set RECOUNT_PROJECT_ID.`,
      );
    return locatedFrom(path.replaceAll(placeholder, project ?? ""), dirname(file));
  };
  const from = (path: string | undefined) => (path === undefined ? undefined : located(path));
  const {
    service = {},
    selection = {},
    export: exporting = {},
    outputs = {},
    pseudonymise,
  } = pipeline;
  const organization =
    service.organization !== undefined && service.billing !== undefined
      ? { organization_id: service.organization, billing_id: service.billing }
      : undefined;
  return {
    baseUrl: service.base_url,
    project,
    keyFile: from(service.key_file),
    caFile: from(service.ca_file),
    clientCert: from(service.client_cert),
    clientKey: from(service.client_key),
    organization,
    /** Its path or value; undefined: a service is read. */
    mapping: typeof pipeline.import === "string" ? located(pipeline.import) : pipeline.import,
    selection: { ...everything, ...selection },
    tables: pipeline.tables?.filter(isTableName) as readonly TableName[] | undefined,
    lake: located(pipeline.lake ?? "lake"),
    concurrency: exporting.concurrency ?? concurrency.default,
    retryFor: exporting.retry_for ?? retry_for.default,
    keepRaw: exporting.keep_raw ?? keep_raw.default,
    sources: exporting.sources ?? choices.sources.default,
    maskSecrets: exporting.mask_secrets ?? mask_secrets.default,
    shrink: {
      max: exporting.max_shrink ?? max_shrink.default,
      allow: exporting.allow_shrink ?? allow_shrink.default,
    },
    /** Null keeps everything. */
    keep: retentionSetting(pipeline),
    /**
     * The file of the key, unless it is in the environment; undefined: nothing is pseudonymised.
     */
    pseudonymise: pseudonymise && {
      scope: pseudonymise.scope ?? choices.pseudonym_scope.default,
      keyFile: from(pseudonymise.key_file),
    },
    ...methodIn(pipeline),
    statistics: pipeline.statistics ?? false,
    /** Null: DuckDB makes the long tables. */
    spark: addressIn(pipeline),
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, path]) => [name, from(path)]),
    ) as OutputFiles,
    /** Public address. */
    reportUrl: reportUrl(pipeline, project, file),
    notices: noticesOf(pipeline, file),
    /** Folder of the pipeline file, in which the commands of notices run. */
    folder: resolve(dirname(file)),
  };
}

export interface Plan {
  /** In the order of the file. */
  readonly all: readonly Settings[];
  /** Those that run. */
  readonly projects: readonly Settings[];
  /** Whether the file names `projects`, even if only one of them runs. */
  readonly isMany: boolean;
}

/** Maps are merged, anything else is replaced. */
function mergedSettings<T>(base: T, over: unknown): T {
  if (over === undefined) return base;
  if (!isMap(base) || !isMap(over)) return over as T;
  const both = Object.entries(over).map(([key, value]) => [key, mergedSettings(base[key], value)]);
  return { ...base, ...Object.fromEntries(both) } as T;
}

const projectNames = ({ projects = [] }: Pick<Pipeline, "projects">) =>
  Array.isArray(projects) ? projects : Object.keys(projects);

/** The keys of the file, with those that the project overrides. */
export function pipelineOf(
  { projects = {}, ...common }: Pipeline,
  project: string | undefined,
): ProjectPipeline {
  const own = Array.isArray(projects) || project === undefined ? undefined : projects[project];
  return mergedSettings(common, own ?? undefined);
}

/** @throws UsageError if two projects would write the same file of results */
function checkApart(file: string, projects: readonly Settings[]): void {
  for (const name of outputNames) {
    const writers = projects.filter(({ outputs }) => outputs[name] !== undefined);
    const same = writers.find(
      (one, i) => writers.findIndex((other) => other.outputs[name] === one.outputs[name]) < i,
    );
    if (same)
      throw new UsageError(
        `${file}: outputs.${name} is the same file for several projects. Put {project} in ` +
          "its path.",
      );
  }
}

/**
 * Its `projects`, or the one that `given` or `service.project` names.
 * @param given values that take precedence over the file; its project chooses one of `projects`
 * @throws UsageError
 */
export function planOf(pipeline: Pipeline, file: string, given: ProjectPipeline = {}): Plan {
  const isMany = pipeline.projects !== undefined;
  const chosen = given.service?.project;
  if (!isMany) {
    const all = [projectSettingsOf(mergedSettings(pipelineOf(pipeline, undefined), given), file)];
    return { all, projects: all, isMany };
  }
  const names = projectNames(pipeline);
  for (const name of names) {
    checkIdentifier(`${file}: the project`, name);
    if (pipelineOf(pipeline, name).service?.project !== undefined)
      throw new UsageError(
        `${file}: service.project and projects exclude each other. Name the project in ` +
          "projects only.",
      );
  }
  if (chosen !== undefined && !names.includes(chosen))
    throw new UsageError(`${file}: ${chosen} is not one of its projects: ${listed(names)}.`);
  const all = names.map((project) =>
    projectSettingsOf(
      mergedSettings(mergedSettings(pipelineOf(pipeline, project), given), {
        service: { project },
      }),
      file,
    ),
  );
  checkApart(file, all);
  return {
    all,
    projects: all.filter(({ project }) => chosen === undefined || project === chosen),
    isMany,
  };
}

/** The default without a file. Variables that other keys name need not be set. */
export async function readMethod(
  file: string | undefined,
  project: string,
  env: Environment,
): Promise<Method> {
  if (file === undefined) return methodIn({});
  const { readPipeline } = await import("./read-pipeline.js");
  return methodIn(pipelineOf(await readPipeline(file, env, { only: methodKeys }), project));
}

/**
 * @param text `conventions` of a pipeline file
 * @throws UsageError that names what is allowed
 */
export async function withConventions(
  base: Conventions,
  label: string,
  text: string,
): Promise<Conventions> {
  const { parsePipeline } = await import("./read-pipeline.js");
  try {
    const { conventions = {} } = parsePipeline(label, text, {});
    return conventionsWith(conventions, base);
  } catch (error) {
    // The line is one of a file that nobody wrote.
    throw new UsageError(messageOf(error).replace(/, line \d+(?=:)/, ""), { cause: error });
  }
}

/** As a flag, the environment and a pipeline file say. @throws UsageError */
export async function readEngine(
  flag: (typeof engines)[number] | undefined,
  file: string | undefined,
  project: string,
  env: Environment,
): Promise<SparkAddress | null> {
  if (flag === "duckdb" || (flag === undefined && file === undefined)) return null;
  const { readPipeline } = await import("./read-pipeline.js");
  const stated =
    file === undefined
      ? undefined
      : pipelineOf(await readPipeline(file, env, { only: ["engine"] }), project);
  return addressIn({ engine: chosenEngine(flag, stated?.engine, env) });
}
