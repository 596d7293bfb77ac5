import { dirname, resolve } from "node:path";
import { isTableName, type TableName } from "../contract/index.js";
import {
  everything,
  type BillingAccount,
  type Selection,
  type ShrinkLimits,
  type SourceScope,
} from "../extract/index.js";
import { defaultRetention, type Retention } from "../lake/index.js";
import { located as locatedFrom } from "../objects/index.js";
import { choices, settings, UsageError } from "../platform/index.js";
import { addressIn } from "./engine.js";
import { methodIn, type Method } from "./method.js";
import type { Notices } from "./notices/index.js";
import type { OutputFiles } from "./outputs.js";
import type { ProjectPipeline, PseudonymScope } from "./schema.js";
import type { SparkAddress } from "../warehouse/index.js";

const { concurrency, keep_raw, mask_secrets, max_shrink, allow_shrink } = settings;

/** The pipeline of one project, with every default filled in. */
export interface Settings extends Method {
  readonly baseUrl: string | undefined;
  readonly project: string | undefined;
  readonly keyFile: string | undefined;
  readonly caFile: string | undefined;
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
  readonly organization: BillingAccount | undefined;
  readonly selection: Selection;
  readonly tables: readonly TableName[] | undefined;
  readonly lake: string;
  readonly concurrency: number;
  readonly keepRaw: boolean;
  readonly sources: SourceScope;
  readonly maskSecrets: boolean;
  /** What is pseudonymised, and the file of the key unless it is in the environment; undefined: nothing is. */
  readonly pseudonymise: { readonly scope: PseudonymScope; readonly keyFile: string | undefined } | undefined;
  readonly shrink: ShrinkLimits;
  /** What to keep after a run; null keeps everything. */
  readonly keep: Retention | null;
  /** Spark Connect of the cluster that makes the long tables; null: DuckDB makes them. */
  readonly spark: SparkAddress | null;
  readonly outputs: OutputFiles;
  readonly notices: Notices;
  /** Folder of the pipeline file, in which the commands of notices run. */
  readonly folder: string;
}

function retentionOf({ keep, export: { keep_snapshots: last } = {} }: ProjectPipeline): Retention | null {
  if (keep === "all") return null;
  const { models } = defaultRetention;
  return keep === undefined ? (last === undefined ? defaultRetention : { last, models }) : { models, ...keep };
}

const placeholder = "{project}";

/** The notices of a pipeline. @throws UsageError, which does not show an address. */
function noticesOf({ on_failure, on_unexplained, on_success }: ProjectPipeline, file: string): Notices {
  const notices = { on_failure, on_unexplained, on_success };
  for (const [name, notice] of Object.entries(notices)) {
    if (notice === undefined) continue;
    const { command, url, form } = notice;
    if ((command === undefined) === (url === undefined))
      throw new UsageError(`${file}: ${name} needs a command or a url, one of them.`);
    if (url === undefined && form !== undefined) throw new UsageError(`${file}: ${name}.form goes with a url only.`);
    if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw new UsageError(`${file}: ${name}.url is not an http or https address.`);
  }
  return notices;
}

/**
 * The settings of a pipeline of one project, read from `file`. Its paths are relative to that file's folder, and
 * `{project}` in them stands for the project. @throws UsageError.
 */
export function settingsOf(pipeline: ProjectPipeline, file: string): Settings {
  const project = pipeline.service?.project;
  const located = (path: string) => {
    if (project === undefined && path.includes(placeholder))
      throw new UsageError(`${file}: the path ${path} needs a project: pass --project or set RECOUNT_PROJECT_ID.`);
    return locatedFrom(path.replaceAll(placeholder, project ?? ""), dirname(file));
  };
  const from = (path: string | undefined) => (path === undefined ? undefined : located(path));
  const { service = {}, selection = {}, export: exporting = {}, outputs = {}, pseudonymise } = pipeline;
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
    selection: { ...everything, ...selection },
    tables: pipeline.tables?.filter(isTableName),
    lake: located(pipeline.lake ?? "lake"),
    concurrency: exporting.concurrency ?? concurrency.default,
    keepRaw: exporting.keep_raw ?? keep_raw.default,
    sources: exporting.sources ?? choices.sources.default,
    maskSecrets: exporting.mask_secrets ?? mask_secrets.default,
    shrink: { max: exporting.max_shrink ?? max_shrink.default, allow: exporting.allow_shrink ?? allow_shrink.default },
    keep: retentionOf(pipeline),
    pseudonymise: pseudonymise && {
      scope: pseudonymise.scope ?? choices.pseudonym_scope.default,
      keyFile: from(pseudonymise.key_file),
    },
    ...methodIn(pipeline),
    spark: addressIn(pipeline),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, file]) => [name, from(file)])),
    notices: noticesOf(pipeline, file),
    folder: resolve(dirname(file)),
  };
}
