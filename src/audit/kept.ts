/** An audit that may have been made before: then its result is taken over. */
import { inputsOf, locateDerived, locateKept, readSnapshot, type Snapshot } from "../lake/index.js";
import { defaultConventions } from "../metrics/index.js";
import { byText } from "../platform/index.js";
import {
  dataKey,
  keptKey,
  recall,
  keepResult,
  takenTables,
  type KeptFolder,
} from "../warehouse/index.js";
import { auditRead, type AuditLakeOptions, type LakeAudit } from "./lake.js";
import type { AuditReport } from "./tell/report.js";

export interface KeptAudit {
  readonly report: AuditReport;
  readonly snapshot: Snapshot;
  /** Digest of all that it depends on; null if it cannot be kept. */
  readonly key: string | null;
  readonly isTaken: boolean;
  readonly kept: KeptFolder | null;
  open(): Promise<LakeAudit>;
  close(): void;
}

export interface KeptAuditOptions extends Omit<AuditLakeOptions, "tables" | "taken" | "report"> {
  readonly isFull?: boolean;
  readonly warn?: (line: string) => void;
}

/** Takes the result of equal data, settings and version if there is one. @throws as `auditLake` */
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
  const isTaking = kept !== null && inputs !== null && settings.models === "audited";
  const dirOf = (id: string) => locateDerived(lake, projectId, id);
  const { id, manifest } = snapshot;
  const found = kept && key ? await recall<AuditReport>(kept, "audit", key) : null;
  const known = found && { ...found, snapshot: id, created_at: manifest.created_at };
  let opened: LakeAudit | undefined;
  const open = async () =>
    (opened ??= await auditRead(lake, snapshot, {
      ...settings,
      ...(known && { report: known }),
      ...(isTaking && { taken: await takenTables(kept, dataKey(inputs, conventions), dirOf) }),
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

const idle: ReadonlySet<string> = new Set([
  "snapshot",
  "threads",
  "cluster",
  "models",
  "statistics",
  "computed",
] satisfies (keyof KeptAuditOptions)[]);

const decidingSettings = (settings: Omit<KeptAuditOptions, "isFull" | "warn">) =>
  Object.entries({ ...settings, conventions: undefined })
    .filter(([name, value]) => value !== undefined && !idle.has(name))
    .sort(([a], [b]) => byText(a, b));
