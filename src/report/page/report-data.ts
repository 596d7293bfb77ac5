/** Everything that a page shows, as plain data. */
import { type AuditReport, attentionOf, numbersIn, type LakeAudit } from "../../audit/index.js";
import { diffSnapshots, type NumberDiff, type SnapshotDiff } from "../../changes/index.js";
import { type Manifest, diffManifests, listSnapshots, readManifest } from "../../lake/index.js";
import type { Conventions } from "../../metrics/index.js";
import { version, sumOf } from "../../platform/index.js";
import { modelPlan, ordinaryModels, type Recomputed } from "../../warehouse/index.js";
import { boardsOf, leaderboardOf, rankingsOf, type Board, type Ranking } from "./boards.js";
import { type Html, pageLimits } from "./html.js";
import { keyOfExperiment, lookupBy, namesInQueries, rowsBy, type OfExperiment } from "./rows.js";

/** The same snapshot gives the same data. */
export interface ReportData {
  readonly project: string;
  readonly version: string;
  readonly service: string;
  /** SHA-256 of the snapshot's manifest, which names the digest of every other file. */
  readonly manifestDigest: string;
  readonly audit: AuditReport;
  readonly conventions: Conventions;
  /** The most urgent first, then in the order of the service. */
  readonly experiments: readonly ExperimentData[];
  readonly checks: readonly DataCheck[];
  readonly tables: readonly TableSize[];
  readonly changes: ChangeData | null;
}

type DataCheck = Recomputed["checks"][number] & { readonly grain: string };

interface TableSize {
  readonly table: string;
  readonly files: number;
  readonly rows: number;
  readonly quarantined: number;
  readonly bytes: number;
}

export interface ExperimentData {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly state: string;
  readonly reason: string | null;
  /** The urgency of its most urgent verdict; 0 if its numbers agree. */
  readonly attention: number;
  /** Published numbers, in every list and for every source. */
  readonly numbers: number;
  readonly population: ExperimentPopulation;
  /** One for each dimension and class of items. */
  readonly rankings: readonly Ranking[];
  /** Null where the page shows only a summary of the experiment. */
  readonly details: ExperimentDetails | null;
}

export interface ExperimentPopulation extends OfExperiment {
  readonly ratings: number;
  readonly counted: number;
  readonly training: number;
  readonly incomplete: number;
  readonly raters: number;
  readonly stimuli: number;
  /** First and last day of its sessions, ISO 8601; empty without sessions. */
  readonly first_day: string;
  readonly last_day: string;
}

export interface ExperimentDetails {
  readonly boards: readonly Board[];
  readonly raters: readonly RaterRow[];
  /** Undefined if the slates have no times. */
  readonly seconds: SecondsRow | undefined;
}

export interface RaterRow extends OfExperiment {
  readonly rater_id: string;
  readonly ratings: number;
  readonly comparisons: number;
  /** Percent of preferences that agree with the majority of the others. */
  readonly agreement: number | null;
  /** Percent of control ratings that are correct. */
  readonly correct: number | null;
  /** Median between two answers. */
  readonly seconds: number | null;
}

/** Seconds between two answers of a session. */
interface SecondsRow extends OfExperiment {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Null if there is nothing to say. */
  readonly render: (data: ReportData) => Html | null;
}

/** What a pack says of a ranking. */
export interface Statement {
  readonly experiment_id: string;
  readonly dimension: string;
  readonly class: number;
  /** How sure it is who is first, in the line of the experiment. "" for nothing. */
  readonly answer: string;
  /** Rank interval of each item, such as "1–3". */
  readonly ranks: ReadonlyMap<string, string>;
  readonly content: Html;
}

/**
 * Nothing without the pack's models. Every text of the lake goes through `shown`, which hides
 * secrets and escapes control characters.
 */
export type StatementsOf = (
  audited: LakeAudit,
  rankings: readonly Ranking[],
  shown: <T>(data: T) => T,
) => Promise<readonly Statement[]>;

export async function gatherReport(
  audited: LakeAudit,
  conventions: Conventions,
  changes: ChangeData | null,
): Promise<ReportData> {
  const { snapshot, warehouse, make, report } = audited;
  const checks = await checksOf(audited);
  await make(await namesInQueries("page"));
  const { manifest } = snapshot;
  const all = manifest.experiments.map(({ id }) => id);
  const populations = await rowsBy<ExperimentPopulation>(
    warehouse,
    "page/population",
    all,
    keyOfExperiment,
  );
  const ownRows = lookupBy(report.rows, (row) => row.experiment_id);
  const experiments = manifest.experiments
    .flatMap(({ id, name, type, state, reason }) => {
      const rows = ownRows(id);
      const attention = rows.reduce((most, { verdict }) => Math.max(most, attentionOf(verdict)), 0);
      const own = {
        id,
        type,
        state,
        reason,
        name: name || id,
        attention,
        numbers: numbersIn(rows),
      };
      return populations(id).map((population) => ({ ...own, population }));
    })
    .toSorted((a, b) => b.attention - a.attention || Number(b.numbers > 0) - Number(a.numbers > 0));
  const listed = experiments.slice(0, pageLimits.listed).map(({ id }) => id);
  const leaderboard = await leaderboardOf(warehouse, conventions, listed);
  const ids = listed.slice(0, pageLimits.experiments);
  const boards = boardsOf(report, leaderboard, ids);
  const raters = await rowsBy<RaterRow>(warehouse, "page/raters", ids, keyOfExperiment);
  const seconds = await rowsBy<SecondsRow>(warehouse, "page/seconds", ids, keyOfExperiment);
  const detailsOf = (id: string): ExperimentDetails => ({
    boards: boards(id),
    raters: raters(id),
    seconds: seconds(id)[0],
  });
  return {
    project: manifest.project_id,
    version,
    service: manifest.service,
    manifestDigest: snapshot.manifestDigest,
    audit: report,
    conventions,
    experiments: experiments.map((each) => ({
      ...each,
      rankings: rankingsOf(each.id, leaderboard),
      details: ids.includes(each.id) ? detailsOf(each.id) : null,
    })),
    checks,
    tables: tableSizes(manifest),
    changes,
  };
}

/** The data checks, those with rows first. */
async function checksOf({
  warehouse,
  make,
  recomputed,
  hasStatistics,
}: LakeAudit): Promise<DataCheck[]> {
  const plan = await modelPlan();
  const known = new Set(recomputed.checks.map(({ name }) => name));
  const more = (await ordinaryModels(hasStatistics)).flatMap(({ name, severity }) =>
    severity === null || known.has(name) ? [] : [{ name, severity }],
  );
  await make(more.map(({ name }) => name));
  // A run has made them before: then `make` does not say what they found.
  const counted = more.map(async (check) => {
    const [row] = await warehouse.all(`select count(*)::integer as rows from ${check.name}`);
    return { ...check, rows: Number(row?.rows) };
  });
  return [...recomputed.checks, ...(await Promise.all(counted))]
    .map((check) => {
      const sql = plan.find(({ name }) => name === check.name)?.sql ?? "";
      return { ...check, grain: /^-- grain: *(.+)$/m.exec(sql)?.[1] ?? "" };
    })
    .toSorted((a, b) => Number(b.rows > 0) - Number(a.rows > 0));
}

/** The tables of a snapshot, in the order of its manifest. */
function tableSizes({ units }: Manifest): TableSize[] {
  const parts = units.flatMap((unit) => unit.parts);
  const own = lookupBy(parts, ({ table }) => table);
  return [...new Set(parts.map(({ table }) => table))].map((table) => ({
    table,
    files: own(table).length,
    rows: sumOf(own(table).map(({ rows }) => rows)),
    quarantined: sumOf(own(table).map(({ quarantined }) => quarantined)),
    bytes: sumOf(own(table).map(({ bytes }) => bytes)),
  }));
}

/** What belongs to an experiment, with its name; "" for what belongs to none. */
type Named<T> = T & { readonly experiment: string };

type ManifestDiff = ReturnType<typeof diffManifests>;

export interface ChangeData {
  readonly before: string;
  /** Files that are the same. */
  readonly unchanged: number;
  readonly changed: readonly Named<ManifestDiff["changed"][number]>[];
  readonly deleted: readonly Named<ManifestDiff["tombstones"][number]>[];
  /** Null if the snapshots are too large to compare by row and number. */
  readonly diff: {
    readonly tables: SnapshotDiff["tables"];
    readonly numbers: readonly Named<NumberDiff>[];
  } | null;
}

/** Null without a previous snapshot, or if it is no longer in the lake. */
export async function changesSince(
  lake: string,
  after: Manifest,
  conventions: Conventions,
): Promise<ChangeData | null> {
  const { previous, project_id } = after;
  if (previous === null || !(await listSnapshots(lake, project_id)).includes(previous)) return null;
  const before = await readManifest(lake, project_id, previous);
  const isSmall = [before, after].every(
    (manifest) => exportedRows(manifest) <= pageLimits.comparedRows,
  );
  const snapshots = { before: previous, after: after.snapshot };
  const diff = isSmall
    ? await diffSnapshots(lake, project_id, { ...snapshots, conventions, examples: 0 })
    : null;
  return changesOf(before, after, diff);
}

const exportedRows = ({ units }: Manifest): number =>
  sumOf(units.flatMap(({ parts }) => parts.map(({ rows }) => rows)));

function changesOf(before: Manifest, after: Manifest, diff: SnapshotDiff | null): ChangeData {
  const { changed, unchanged, tombstones } = diffManifests(before, after);
  const names = new Map(
    [...before.experiments, ...after.experiments].map(({ id, name }) => [id, name || id]),
  );
  const named = <T extends { readonly experiment_id: string | null }>(one: T): Named<T> => {
    const id = one.experiment_id;
    return { ...one, experiment: id === null ? "" : (names.get(id) ?? id) };
  };
  return {
    before: before.snapshot,
    unchanged,
    changed: changed.map(named),
    deleted: tombstones.map(named),
    diff: diff && { tables: diff.tables, numbers: diff.numbers.map(named) },
  };
}
