import {
  lakeTable,
  lakeTables,
  publishedLists as lists,
  type PublishedList as List,
  type TableName,
} from "../contract/index.js";
import {
  locateKept,
  locateScratch,
  openSnapshot,
  shortfallsOf,
  type Manifest,
  type Snapshot,
  type Unit,
} from "../lake/index.js";
import { defaultConventions, kinds, metricKind, type Conventions } from "../metrics/index.js";
import { byText } from "../platform/index.js";
import {
  checkRows,
  modelPlan,
  modelsBehind,
  openOn,
  ordinaryModels,
  recompute,
  type Cluster,
  type Recomputed,
  type Warehouse,
} from "../warehouse/index.js";
import type { AuditReport, Unread } from "./report.js";
import { auditSnapshot, type AuditedSnapshot, type AuditOptions } from "./audit-snapshot.js";

export interface AuditLakeOptions extends AuditOptions {
  /** A snapshot's identifier; default: the newest. */
  readonly snapshot?: string;
  readonly conventions?: Conventions;
  readonly threads?: number;
  /** The only tables to open; default: all. */
  readonly tables?: readonly string[];
  /** Which models to run: `all` (the default), or only those that the audit reads. */
  readonly models?: "all" | "audited";
  /** Runs the models of `sql/statistics/` too. */
  readonly statistics?: boolean;
  /** Takes what earlier runs computed of intervals and statistics, and keeps them (`update`) or not; by default computes all. */
  readonly kept?: "read" | "update";
  /** The cluster that makes the long tables; default: none. */
  readonly cluster?: Cluster | null;
}

const auditedModels = [
  ...kinds.map((kind) => metricKind(kind).model),
  "audit_correctness",
  "audit_ratings",
  "audit_slates",
  "int_correctness",
  "int_published",
  "key_correctness",
  "key_stimuli",
  "int_jobs",
  "int_job_sets",
  "stg_experiments",
  "stg_leaderboards",
];

/** An audit with the data behind it. The caller closes `warehouse`. */
export interface LakeAudit {
  readonly snapshot: Snapshot;
  readonly warehouse: Warehouse;
  readonly recomputed: Recomputed;
  readonly report: AuditReport;
}

function quarantinedIn({ units, experiments }: Manifest): NonNullable<AuditedSnapshot["quarantined"]> {
  const parts = units.flatMap(({ experiment_id, parameters, parts: own }) =>
    own.map((part) => ({ experiment_id, source: parameters.source ?? "", ...part })),
  );
  return lists.flatMap((list) =>
    parts
      .filter(({ table, quarantined }) => table === list && quarantined > 0)
      .map(({ experiment_id, source, quarantined }) => ({
        list,
        experiment_id,
        source,
        experiment_name: experiments.find((e) => e.id === experiment_id)?.name ?? "",
        elements: quarantined,
      })),
  );
}

/** The tables behind every recomputed number. A row that one of them lacks may change any number of its experiment. */
const decisive: readonly TableName[] = ["ratings", "slates", "sessions"];

/** Why a difference in an experiment's numbers proves nothing, by experiment: its data are not all there. */
function unsettledIn({ units, experiments }: Manifest): Map<string, string> {
  const reasons = experiments.map(({ id, state, reason }): [string, string] => {
    const own = units.filter(({ experiment_id }) => experiment_id === id).flatMap(({ parts }) => parts);
    const lost = own.filter(({ table, quarantined }) => quarantined > 0 && decisive.includes(table));
    const quarantined = lost.map(
      (part) => `${part.quarantined} of its ${part.table} in quarantine (${part.quarantine ?? ""})`,
    );
    const unread = state === "complete" ? [] : [`the export is ${state}${reason === null ? "" : `: ${reason}`}`];
    return [id, [...unread, ...quarantined].join("; ")];
  });
  return new Map(reasons.filter(([, reason]) => reason !== ""));
}

/** Why a difference in a list of the project proves nothing. */
function tornIn({ units }: Manifest): Map<List, string> {
  const torn = lists.filter((list) =>
    units.some((unit) => unit.is_torn && unit.operation === lakeTables[list].operation),
  );
  return new Map(torn.map((list) => [list, "this list changed twice during the export"]));
}

/** The part of a manifest that the audit uses. */
function auditedSnapshot({ id, manifest }: Snapshot): AuditedSnapshot {
  return {
    id,
    created_at: manifest.created_at,
    quarantined: quarantinedIn(manifest),
    // A study of files has what its mapping names, and no further lists.
    unread: manifest.imported === undefined ? unreadIn(manifest) : [],
    shortfalls: shortfallsOf(manifest),
    experiments: new Set(manifest.experiments.map((e) => e.id)),
    unsettled: unsettledIn(manifest),
    torn: tornIn(manifest),
  };
}

/** Runs only the models that `auditSnapshot` reads. */
export async function recomputeAudited(warehouse: Warehouse, conventions: Conventions): Promise<Recomputed> {
  return recompute(warehouse, conventions, modelsBehind(await modelPlan(), auditedModels));
}

/** Recomputes and audits a snapshot of a lake. @throws UsageError if there is no such snapshot. */
export async function auditLake(lake: string, projectId: string, options: AuditLakeOptions = {}): Promise<LakeAudit> {
  const snapshot = await openSnapshot(lake, projectId, options.snapshot, options.tables);
  const { tables: sources, bytes } = snapshot;
  const { cluster, threads } = options;
  const folder = locateKept(lake, projectId);
  const warehouse = await openOn({ cluster, scratch: locateScratch(lake, projectId), sources, bytes, threads });
  try {
    const conventions = options.conventions ?? defaultConventions;
    const { checks = await checkRows(warehouse, sources) } = snapshot.manifest;
    const checked = auditedSnapshot({ ...snapshot, manifest: { ...snapshot.manifest, checks } });
    const recomputed =
      options.models === "audited"
        ? await recomputeAudited(warehouse, conventions)
        : await recompute(warehouse, conventions, await ordinaryModels(options.statistics), {
            kept: folder && options.kept ? { folder, isReadOnly: options.kept === "read" } : undefined,
          });
    const report = await auditSnapshot(warehouse, checked, conventions, options);
    return { snapshot, warehouse, recomputed: { ...recomputed, checks: [...checks, ...recomputed.checks] }, report };
  } catch (error) {
    warehouse.close();
    throw error;
  }
}

/** The lists that the export omitted or could not read. Leaderboards are read by rubric: no rubrics, no boards. */
export function unreadIn({ units, experiments }: Pick<Manifest, "units" | "experiments">): Unread[] {
  const asked = ({ parameters }: Unit) => parameters.source;
  const unitsOf = (list: List): readonly Unit[] =>
    units.filter((unit) => unit.operation === lakeTables[list].operation && asked(unit) === undefined);
  const reasonOf = (list: List): Unread["reason"] | null => {
    const own = unitsOf(list);
    const [refused] = own.every(({ state }) => state !== "complete") ? own : [];
    if (refused !== undefined && refused.state !== "complete") return refused.state;
    if (own.some(({ elements, parts }) => elements > 0 && parts.every(({ table }) => table !== list)))
      return "not_exported";
    if (own.length > 0) return null;
    if (list === "results" && experiments.length === 0) return null;
    const rubrics = unitsOf("rubrics");
    if (list === "leaderboards" && rubrics.length > 0 && rubrics.every(({ elements }) => elements === 0))
      return reasonOf("rubrics");
    return "not_exported";
  };
  const jobs = units.filter(({ operation }) => operation === lakeTables.jobs.operation);
  const mayHaveJobs = experiments.length > 0 && (jobs.length === 0 || jobs.some(({ elements }) => elements > 0));
  const sourcesOf = (list: List): Unread[] => {
    const own = units.filter((unit) => unit.operation === lakeTables[list].operation && asked(unit) !== undefined);
    if (mayHaveJobs && own.length === 0 && lakeTable(list).sources !== undefined)
      return [{ list, reason: "not_exported", sources: ["each job"] }];
    const refused = own.filter(({ state }) => state === "not_permitted");
    const sources = refused.flatMap((unit) => asked(unit) ?? []).toSorted(byText);
    return sources.length === 0 ? [] : [{ list, reason: "not_permitted", sources }];
  };
  return lists.flatMap((list) => {
    const reason = reasonOf(list);
    return reason === null ? sourcesOf(list) : [{ list, reason }];
  });
}
