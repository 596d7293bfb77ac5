/** Recomputes a snapshot of a lake and audits its published numbers. */
import {
  lakeTable,
  lakeTables,
  publishedLists as lists,
  type PublishedList as List,
  type TableName,
} from "../contract/index.js";
import {
  locateScratch,
  readSnapshot,
  shortfallsOf,
  type Manifest,
  type Snapshot,
  type Unit,
} from "../lake/index.js";
import { defaultConventions, metricKind, type Conventions, type Kind } from "../metrics/index.js";
import { byText, sumOf } from "../platform/index.js";
import {
  checkRows,
  modelsOnDemand,
  openOn,
  ordinaryModels,
  tablesOfModel,
  type Cluster,
  type MakeModels,
  type Recomputed,
  type TakenTables,
  type Warehouse,
} from "../warehouse/index.js";
import type { AuditReport, Unread } from "./tell/report.js";
import { scaleModels } from "./compare/scales.js";
import { auditSnapshot, type AuditedSnapshot, type AuditOptions } from "./audit.js";

export interface AuditLakeOptions extends AuditOptions {
  readonly snapshot?: string;
  readonly conventions?: Conventions;
  readonly threads?: number | undefined;
  readonly tables?: readonly string[];
  readonly models?: "all" | "audited";
  readonly statistics?: boolean;
  readonly report?: AuditReport;
  readonly taken?: TakenTables | undefined;
  readonly computed?: Computation;
  readonly cluster?: Cluster | null | undefined;
}

export const publishedModels = [
  "int_published",
  "key_stimuli",
  "int_jobs",
  "int_job_sets",
  "stg_experiments",
  "stg_leaderboards",
];

export const auditedModels = (published: readonly Kind[]): string[] => [
  ...published.map((kind) => metricKind(kind).model),
  "audit_correctness",
  "audit_ratings",
  "audit_slates",
  "stg_weights",
  "int_correctness",
  "key_correctness",
  ...scaleModels,
];

/** The caller closes `warehouse`. */
export interface Computation {
  readonly warehouse: Warehouse;
  readonly make: MakeModels;
}

export interface LakeAudit extends Computation {
  readonly snapshot: Snapshot;
  readonly recomputed: Recomputed;
  readonly hasStatistics: boolean;
  readonly report: AuditReport;
}

function quarantinedIn({
  units,
  experiments,
}: Manifest): NonNullable<AuditedSnapshot["quarantined"]> {
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

/** A row that one of these lacks may change any number of its experiment. */
const decisiveVerdicts: readonly TableName[] = ["ratings", "slates", "sessions"];

function unsettledIn({ units, experiments }: Manifest): Map<string, string> {
  const reasons = experiments.map(({ id, state, reason }): [string, string] => {
    const own = units
      .filter(({ experiment_id }) => experiment_id === id)
      .flatMap(({ parts }) => parts);
    const lost = own.filter(
      ({ table, quarantined }) => quarantined > 0 && decisiveVerdicts.includes(table),
    );
    const quarantined = lost.map(
      (part) => `${part.quarantined} of its ${part.table} in quarantine (${part.quarantine ?? ""})`,
    );
    const unread =
      state === "complete" ? [] : [`the export is ${state}${reason === null ? "" : `: ${reason}`}`];
    return [id, [...unread, ...quarantined].join("; ")];
  });
  return new Map(reasons.filter(([, reason]) => reason !== ""));
}

/** Ratings in quarantine, by experiment, of those that lack nothing else. */
function lostIn({ units, experiments }: Manifest): Map<string, number> {
  const whole = experiments.filter(({ state }) => state === "complete");
  const lost = whole.map(({ id }): [string, number] => {
    const parts = units
      .filter(({ experiment_id }) => experiment_id === id)
      .flatMap((unit) => unit.parts.filter(({ table }) => decisiveVerdicts.includes(table)));
    const isOther = parts.some(({ table, quarantined }) => table !== "ratings" && quarantined > 0);
    return [id, isOther ? 0 : sumOf(parts.map(({ quarantined }) => quarantined))];
  });
  return new Map(lost.filter(([, ratings]) => ratings > 0));
}

function tornIn({ units }: Manifest): Map<List, string> {
  const torn = lists.filter((list) =>
    units.some((unit) => unit.is_torn && unit.operation === lakeTables[list].operation),
  );
  return new Map(torn.map((list) => [list, "this list changed twice during the export"]));
}

function auditedSnapshot({ id, manifest }: Snapshot): AuditedSnapshot {
  return {
    id,
    created_at: manifest.created_at,
    quarantined: quarantinedIn(manifest),
    unread: manifest.imported === undefined ? unreadIn(manifest) : [],
    shortfalls: shortfallsOf(manifest),
    experiments: new Set(manifest.experiments.map((e) => e.id)),
    unsettled: unsettledIn(manifest),
    lost: lostIn(manifest),
    torn: tornIn(manifest),
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

export async function auditRead(
  lake: string,
  snapshot: Snapshot,
  options: Omit<AuditLakeOptions, "snapshot" | "tables">,
): Promise<LakeAudit> {
  const conventions = options.conventions ?? defaultConventions;
  const { warehouse, make } =
    options.computed ?? (await openComputation(lake, snapshot, { ...options, conventions }));
  try {
    const { checks = await checkRows(warehouse, snapshot.tables) } = snapshot.manifest;
    const checked = auditedSnapshot({ ...snapshot, manifest: { ...snapshot.manifest, checks } });
    const runs: Recomputed[] = [];
    const run = async (tables: readonly string[]) => void runs.push(await make(tables));
    if (options.models !== "audited")
      await run((await ordinaryModels(options.statistics)).flatMap(tablesOfModel));
    const audit = async () => {
      await run(publishedModels);
      const prepare = (published: readonly Kind[]) => run(auditedModels(published));
      return auditSnapshot(warehouse, checked, conventions, options, prepare);
    };
    const report = options.report ?? (await audit());
    return {
      snapshot,
      warehouse,
      make,
      hasStatistics: options.statistics === true,
      recomputed: {
        models: runs.flatMap(({ models }) => models),
        checks: [...checks, ...runs.flatMap((one) => one.checks)],
      },
      report,
    };
  } catch (error) {
    if (options.computed === undefined) warehouse.close();
    throw error;
  }
}

export async function openComputation(
  lake: string,
  { projectId, tables, bytes }: Pick<Snapshot, "projectId" | "tables" | "bytes">,
  {
    conventions,
    cluster,
    threads,
    taken,
    isPartial,
  }: Pick<AuditLakeOptions, "cluster" | "threads" | "taken"> & {
    readonly conventions: Conventions;
    readonly isPartial?: boolean;
  },
): Promise<Computation> {
  const scratch = await locateScratch(lake, projectId);
  const warehouse = await openOn({ cluster, scratch, sources: tables, bytes, threads });
  try {
    await warehouse.setConventions(conventions);
    return { warehouse, make: await modelsOnDemand(warehouse, conventions, taken, isPartial) };
  } catch (error) {
    warehouse.close();
    throw error;
  }
}

/** The lists that are not all there. Leaderboards are read by rubric: no rubrics, no boards. */
export function unreadIn({
  units,
  experiments,
}: Pick<Manifest, "units" | "experiments">): Unread[] {
  const asked = ({ parameters }: Unit) => parameters.source;
  const unitsOf = (list: List): readonly Unit[] =>
    units.filter(
      (unit) => unit.operation === lakeTables[list].operation && asked(unit) === undefined,
    );
  const reasonOf = (list: List): Unread["reason"] | null => {
    const own = unitsOf(list);
    const [refused] = own.every(({ state }) => state !== "complete") ? own : [];
    if (refused !== undefined && refused.state !== "complete") return refused.state;
    if (
      own.some(({ elements, parts }) => elements > 0 && parts.every(({ table }) => table !== list))
    )
      return "not_exported";
    if (own.length > 0) return null;
    if (list === "results" && experiments.length === 0) return null;
    const rubrics = unitsOf("rubrics");
    if (
      list === "leaderboards" &&
      rubrics.length > 0 &&
      rubrics.every(({ elements }) => elements === 0)
    )
      return reasonOf("rubrics");
    return "not_exported";
  };
  const jobs = units.filter(({ operation }) => operation === lakeTables.jobs.operation);
  const mayHaveJobs =
    experiments.length > 0 && (jobs.length === 0 || jobs.some(({ elements }) => elements > 0));
  const sourcesOf = (list: List): Unread[] => {
    const own = units.filter(
      (unit) => unit.operation === lakeTables[list].operation && asked(unit) !== undefined,
    );
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
