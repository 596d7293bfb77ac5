import { dirname, resolve } from "node:path";
import { readTolerances, type RecordShapes, type ScoreShapes, type Tolerances } from "../audit/index.js";
import { isTableName, type TableName } from "../contract/index.js";
import { defaultShrink, everything, type Organization, type Selection, type ShrinkLimits } from "../extract/index.js";
import { conventionsWith, type Conventions } from "../metrics/index.js";
import type { Pipeline } from "./schema.js";

/** A pipeline with every default filled in. */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly project: string | undefined;
  readonly keyFile: string | undefined;
  readonly organization: Organization | undefined;
  readonly selection: Selection;
  readonly tables: readonly TableName[] | undefined;
  readonly lake: string;
  readonly concurrency: number;
  readonly keepRaw: boolean;
  readonly shrink: ShrinkLimits;
  /** Snapshots left after a run; undefined keeps all. */
  readonly keepSnapshots: number | undefined;
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly shapes: ScoreShapes;
  readonly records: RecordShapes;
  readonly outputs: {
    readonly audit: string | undefined;
    readonly summary: string | undefined;
    readonly bundle: string | undefined;
  };
}

/** Completes a pipeline read from `file`; its paths are relative to the file's folder. @throws UsageError. */
export function settingsOf(pipeline: Pipeline, file: string): Settings {
  const from = (path: string | undefined) => (path === undefined ? undefined : resolve(dirname(file), path));
  const { service = {}, selection = {}, export: exporting = {}, outputs = {} } = pipeline;
  const organization =
    service.organization !== undefined && service.billing !== undefined
      ? { organization_id: service.organization, billing_id: service.billing }
      : undefined;
  return {
    baseUrl: service.base_url,
    project: service.project,
    keyFile: from(service.key_file),
    organization,
    selection: { ...everything, ...selection },
    tables: pipeline.tables?.filter(isTableName),
    lake: resolve(dirname(file), pipeline.lake ?? "lake"),
    concurrency: exporting.concurrency ?? 6,
    keepRaw: exporting.keep_raw ?? true,
    shrink: { max: exporting.max_shrink ?? defaultShrink.max, allow: exporting.allow_shrink ?? defaultShrink.allow },
    keepSnapshots: exporting.keep_snapshots,
    conventions: conventionsWith(pipeline.conventions ?? {}),
    tolerances: readTolerances(pipeline.tolerances ?? {}),
    shapes: pipeline.score_shapes ?? {},
    records: pipeline.record_shapes ?? {},
    outputs: { audit: from(outputs.audit), summary: from(outputs.summary), bundle: from(outputs.bundle) },
  };
}
