/** An audit that may have been made before: then its result is taken over. */
import { inputsOf, locateDerived, locateKept, readSnapshot, type Snapshot } from "../lake/index.js";
import { defaultConventions } from "../metrics/index.js";
import { byText, codeDigest } from "../platform/index.js";
import {
  dataKey,
  keptKey,
  recall,
  keepResult,
  takenTables,
  type KeptFolder,
} from "../warehouse/index.js";
import { auditLake, type AuditLakeOptions, type LakeAudit } from "./audit-lake.js";
import type { AuditReport } from "./report.js";
import type { SettledAudit } from "./settled.js";

/** An audit whose data are computed only if someone asks for them. The caller closes it. */
export interface KeptAudit {
  readonly report: AuditReport;
  readonly snapshot: Snapshot;
  /** Digest of everything that it depends on; null if it cannot be kept. */
  readonly key: string | null;
  /** Whether the result is that of an earlier audit. */
  readonly isTaken: boolean;
  /** Where results are kept; null: nowhere. */
  readonly kept: KeptFolder | null;
  /** The audit with the data behind it. */
  open(): Promise<LakeAudit>;
  close(): void;
}

export interface KeptAuditOptions extends Omit<
  AuditLakeOptions,
  "tables" | "taken" | "report" | "earlier"
> {
  /** Audits although it was done before. */
  readonly isFull?: boolean;
  /** Receives a line for each kept result that cannot be used. */
  readonly warn?: (line: string) => void;
}

/** What is kept of the last audit under some settings. */
interface LastAudit extends SettledAudit {
  readonly key: string;
}

/**
 * Audits a snapshot, or takes the result of the last audit under equal settings by the same version
 * of Recount: the whole one if the data are equal, then only the snapshot's parts are read;
 * otherwise what it found of experiments that did not change. @throws as `auditLake`
 */
export async function auditOnce(
  lake: string,
  projectId: string,
  options: KeptAuditOptions,
): Promise<KeptAudit> {
  const snapshot = await readSnapshot(lake, projectId, options.snapshot);
  const { isFull = false, warn, ...settings } = options;
  const conventions = options.conventions ?? defaultConventions;
  const folder = await locateKept(lake, projectId);
  const kept = folder === null || options.cluster ? null : { folder, isFull, warn };
  const inputs = kept && (await inputsOf(snapshot));
  const method = keptKey("audit", codeDigest(), conventions, decidingSettings(settings));
  const key = inputs && keptKey(method, inputs);
  const isTaking = kept !== null && inputs !== null && settings.models === "audited";
  const dirOf = (id: string) => locateDerived(lake, projectId, id);
  const { id, manifest } = snapshot;
  const last = kept && key ? await recall<LastAudit>(kept, "audit", method) : null;
  const known =
    last?.key === key ? { ...last.report, snapshot: id, created_at: manifest.created_at } : null;
  let opened: LakeAudit | undefined;
  const open = async () =>
    (opened ??= await auditLake(lake, projectId, {
      ...settings,
      snapshot: id,
      ...(known && { report: known }),
      ...(key && { earlier: last }),
      ...(isTaking && { taken: await takenTables(kept, dataKey(inputs, conventions), dirOf) }),
    }));
  const report = known ?? (await open()).report;
  if (kept && key && opened && known === null)
    await keepResult(kept, "audit", method, { key, report, settled: opened.settled });
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

/** Settings on which no result depends. */
const idle: ReadonlySet<string> = new Set([
  "snapshot",
  "threads",
  "cluster",
  "models",
  "statistics",
  "computed",
] satisfies (keyof KeptAuditOptions)[]);

/** The settings that change a result, in one order: all that are not named here. */
const decidingSettings = (settings: Omit<KeptAuditOptions, "isFull" | "warn">) =>
  Object.entries({ ...settings, conventions: undefined })
    .filter(([name, value]) => value !== undefined && !idle.has(name))
    .sort(([a], [b]) => byText(a, b));
