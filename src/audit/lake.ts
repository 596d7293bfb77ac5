/** Recomputes a snapshot of a lake and audits its published numbers, unless it did so before. */
import {
  batchesOf,
  groupedExperiments,
  groupsWith,
  inputsOf,
  keepResult,
  keptKey,
  locateDerived,
  locateKept,
  readSnapshot,
  recall,
  shortfallsOf,
  type KeptFolder,
  type Snapshot,
} from "../lake/index.js";
import { defaultConventions, metricKind, type Conventions, type Kind } from "../metrics/index.js";
import {
  checkRows,
  dataKey,
  inBatches,
  openComputation,
  ordinaryModels,
  tablesOfModel,
  takenTables,
  type Cluster,
  type Computation,
  type TakenTables,
} from "../warehouse/index.js";
import { doubtsIn, quarantinedIn, unreadListsIn } from "./read/doubts.js";
import type { AuditReport } from "./tell/report.js";
import { scaleModels } from "./compare/scales.js";
import { auditSnapshot, type AuditedSnapshot, type AuditOptions } from "./audit.js";

export interface AuditLakeOptions extends AuditOptions {
  readonly snapshot?: string;
  readonly conventions?: Conventions;
  readonly tables?: readonly string[];
  readonly models?: "all" | "audited";
  readonly statistics?: boolean;
  readonly report?: AuditReport;
  readonly taken?: TakenTables | undefined;
  readonly computed?: Computation;
  readonly together?: number;
  readonly cluster?: Cluster | null | undefined;
}

export const publishedModels = [
  "int_published",
  "key_stimuli",
  "int_job_sets",
  "stg_experiments",
  "stg_weights",
];

export const auditedModels = (published: readonly Kind[]): string[] => [
  ...published.map((kind) => metricKind(kind).model),
  "key_stimuli",
  "audit_correctness",
  "audit_ratings",
  "audit_slates",
  "int_correctness",
  "key_correctness",
  ...scaleModels,
];

/** The caller closes `warehouse`. */
export interface LakeAudit extends Computation {
  readonly snapshot: Snapshot;
  readonly statistics: boolean;
  readonly report: AuditReport;
  readonly inBatches: (isWanted: (id: string) => boolean) => ReturnType<typeof inBatches>;
}

function auditedSnapshot({ id, manifest }: Snapshot): AuditedSnapshot {
  return {
    id,
    created_at: manifest.created_at,
    quarantined: quarantinedIn(manifest),
    unread: manifest.imported === undefined ? unreadListsIn(manifest) : [],
    shortfalls: shortfallsOf(manifest),
    experiments: new Set(manifest.experiments.map((e) => e.id)),
    doubts: doubtsIn(manifest),
  };
}

/** @throws UsageError if there is no such snapshot */
export async function auditLake(
  lake: string,
  projectId: string,
  options: AuditLakeOptions = {},
): Promise<LakeAudit> {
  const snapshot = await readSnapshot(lake, projectId, options.snapshot, options.tables);
  return auditRead(lake, snapshot, options);
}

async function auditRead(
  lake: string,
  snapshot: Snapshot,
  options: AuditLakeOptions,
): Promise<LakeAudit> {
  const conventions = options.conventions ?? defaultConventions;
  const all =
    options.computed ?? (await openComputation(lake, snapshot, { ...options, conventions }));
  const { warehouse, make } = all;
  try {
    const { checks = await checkRows(warehouse, snapshot.tables) } = snapshot.manifest;
    const checked = auditedSnapshot({ ...snapshot, manifest: { ...snapshot.manifest, checks } });
    if (options.models !== "audited")
      await make((await ordinaryModels(options.statistics)).flatMap(tablesOfModel));
    const { computed, cluster, models, taken, together, statistics = false } = options;
    const isWhole = computed !== undefined || cluster || models !== "audited";
    const groups = groupedExperiments(snapshot.manifest);
    const { tablesOf } = snapshot;
    const batched: LakeAudit["inBatches"] = async function* (isWanted) {
      const wanted = groupsWith(groups, isWanted);
      const batches = isWhole ? [groups] : await batchesOf(wanted, warehouse, together);
      yield* inBatches(all, { groups, batches, tablesOf, taken, conventions });
    };
    const audit = async () => {
      await make(publishedModels);
      return auditSnapshot(warehouse, checked, conventions, options, async (kinds, work) => {
        for await (const { isIn, warehouse, make } of batched(() => true)) {
          await make(auditedModels(kinds));
          await work(warehouse, isIn);
        }
      });
    };
    const report = options.report ?? (await audit());
    return { ...all, snapshot, statistics, report, inBatches: batched };
  } catch (error) {
    if (options.computed === undefined) warehouse.close();
    throw error;
  }
}

export interface KeptAudit {
  readonly report: AuditReport;
  readonly snapshot: Snapshot;
  /** Digest of all that it depends on; null if it cannot be kept. */
  readonly key: string | null;
  readonly isTaken: boolean;
  readonly kept: KeptFolder | null;
  open: () => Promise<LakeAudit>;
  close: () => void;
}

export interface KeptAuditOptions extends AuditLakeOptions {
  readonly isFull?: boolean;
  readonly warn?: (line: string) => void;
}

/** Takes the result of equal data, settings and version if there is one. */
export async function auditOnce(
  lake: string,
  projectId: string,
  options: KeptAuditOptions,
): Promise<KeptAudit> {
  const snapshot = await readSnapshot(lake, projectId, options.snapshot);
  const { isFull = false, warn, ...settings } = options;
  const conventions = options.conventions ?? defaultConventions;
  const folder = await locateKept(lake, projectId);
  const kept = folder === null ? null : { folder, isFull, warn };
  const inputs = kept && !options.cluster ? inputsOf(snapshot) : null;
  const key = inputs && keptKey("audit", inputs, conventions, decidingSettings(settings));
  const dirOf = (id: string) => locateDerived(lake, projectId, id);
  const { id, manifest } = snapshot;
  const found = kept && key ? await recall<AuditReport>(kept, "audit", key) : null;
  const known = found && { ...found, snapshot: id, created_at: manifest.created_at };
  let opened: LakeAudit | undefined;
  const open = async () =>
    (opened ??= await auditRead(lake, snapshot, {
      ...settings,
      ...(known && { report: known }),
      ...(kept &&
        inputs &&
        settings.models === "audited" && {
          taken: await takenTables(kept, dataKey(inputs, conventions), dirOf),
        }),
    }));
  const report = known ?? (await open()).report;
  if (kept && key && known === null) await keepResult(kept, "audit", key, report);
  return {
    snapshot,
    report,
    key,
    isTaken: known !== null,
    kept,
    open,
    close: () => {
      if (options.computed === undefined) opened?.warehouse.close();
    },
  };
}

const decidingSettings = ({ tolerances, shapes, records, limits, accept, ignore }: AuditOptions) =>
  ({ tolerances, shapes, records, limits, accept, ignore }) satisfies Record<
    keyof AuditOptions,
    unknown
  >;
