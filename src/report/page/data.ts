/** What a page shows, as plain data: the audit, and the rows of the queries in `sql/page/`. */
import type { AuditReport, AuditRow, LakeAudit, Scale } from "../../audit/index.js";
import { filesService } from "../../lake/index.js";
import { groupsOf, packageFile, readText, version } from "../../platform/index.js";
import { packs } from "../../packs.js";
import { isFalse, judgedNumbers, type JudgedNumber } from "../judged.js";
import { byUrgency } from "../results.js";
import { pageLimits } from "./html.js";

export interface PageData {
  readonly project: string;
  readonly version: string;
  /** Whether the ratings come from files, not from a service. */
  readonly isOfFiles: boolean;
  /** SHA-256 of the snapshot's manifest, which names the digest of every other file. */
  readonly manifestDigest: string;
  readonly audit: AuditReport;
  /** Of every experiment with a false one. */
  readonly numbers: readonly JudgedNumber[];
  readonly experiments: readonly ExperimentData[];
  /** Experiments that it leaves out. */
  readonly unlisted: number;
}

export interface ExperimentData extends ExperimentCounts {
  readonly name: string;
  readonly type: string | null;
  readonly rows: readonly AuditRow[];
  readonly numbers: readonly JudgedNumber[];
  readonly leaderboard: readonly NumberRow[];
  readonly standings: readonly StandingRow[];
  readonly agreements: readonly AgreementRow[];
  readonly ledger: readonly LedgerRow[];
}

interface KeyedRow {
  readonly experiment_id: string;
}

interface ExperimentCounts extends KeyedRow {
  readonly ratings: number;
  readonly counted: number;
  readonly raters: number;
}

export interface NumberRow extends KeyedRow, Pick<Scale, "direction" | "ground"> {
  readonly dimension: string;
  readonly kind: string;
  readonly item: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly interval: string | null;
  /** Items that can be ranked together. */
  readonly class: number;
  /** Null for a hidden reference. */
  readonly rank: number | null;
  readonly is_reference: boolean;
  /** Of Bradley-Terry: items that votes link, and wins with ties as half. */
  readonly component: number | null;
  readonly wins: number | null;
  readonly n: number | null;
}

export interface StandingRow extends KeyedRow {
  readonly dimension: string;
  readonly estimate: string;
  readonly class: number;
  readonly first_item: string;
  readonly probability_best: number | null;
  /** Of the second item's difference from the first, after Holm's correction. */
  readonly p_first: number | null;
  /** Votes that could be left out, and the smallest set found that changes the first place. */
  readonly units: number | null;
  readonly at_most: number | null;
  readonly leaving: string | null;
  readonly entering: string | null;
  /** Of the votes that one side won; null: no sides are recorded. */
  readonly left_share: number | null;
  readonly is_biased: boolean | null;
  readonly side: string | null;
}

interface AgreementRow extends KeyedRow {
  readonly dimension: string;
  readonly value: number;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly raters: number;
}

interface LedgerRow extends KeyedRow {
  readonly rule: string;
  readonly ratings: number;
}

interface Statistics {
  readonly standings: readonly StandingRow[];
  readonly agreements: readonly AgreementRow[];
  readonly ledger: readonly LedgerRow[];
}

/** Files in `sql/` of what a pack knows, without ending. */
export type StatisticsQueries = Readonly<Record<keyof Statistics, string>>;

const queries = { counts: "page/population", leaderboard: "page/leaderboard" };

interface Rankings extends Statistics {
  readonly counts: readonly ExperimentCounts[];
  readonly leaderboard: readonly NumberRow[];
}

async function readRankings(
  audited: LakeAudit,
  listed: readonly string[],
): Promise<Partial<Rankings>> {
  const packed = packs.flatMap(({ statistics }) => (audited.statistics && statistics) || []);
  const files = { ...queries, ...(await packed[0]?.())?.pageQueries };
  const texts = Object.entries(files).map(
    async ([name, file]) => [name, await readText(packageFile(`sql/${file}.sql`))] as const,
  );
  const all = await Promise.all(texts);
  const tables = all.flatMap(([, sql]) => sql.match(/\w+/g) ?? []);
  const read: Record<string, unknown[]> = {};
  for await (const { warehouse, make, isIn } of audited.inBatches((id) => listed.includes(id))) {
    await make(tables);
    const ids = JSON.stringify(listed.filter(isIn));
    for (const [name, sql] of all)
      read[name] = [...(read[name] ?? []), ...(await warehouse.all(sql, { ids }))];
  }
  return read;
}

interface GatheredPage extends Omit<PageData, "numbers" | "experiments"> {
  readonly experiments: readonly Omit<ExperimentData, "rows" | "numbers">[];
}

export async function gatherPage(audited: LakeAudit): Promise<GatheredPage> {
  const { snapshot, report } = audited;
  const { manifest } = snapshot;
  const rows = byExperiment(report.rows);
  const all = manifest.experiments.map(({ id, name, type }) => ({
    experiment_id: id,
    name: name || id,
    type,
    rows: rows(id),
  }));
  const listed = byUrgency(all).slice(0, pageLimits.listed);
  const ids = listed.map(({ experiment_id }) => experiment_id);
  const read = await readRankings(audited, ids);
  const counts = byExperiment(read.counts);
  const leaderboard = byExperiment(read.leaderboard);
  const standings = byExperiment(read.standings);
  const agreements = byExperiment(read.agreements);
  const ledger = byExperiment(read.ledger);
  return {
    project: manifest.project_id,
    version,
    isOfFiles: manifest.service === filesService,
    manifestDigest: snapshot.manifestDigest,
    audit: report,
    unlisted: manifest.experiments.length - listed.length,
    experiments: listed.flatMap(({ experiment_id: id, name, type }) =>
      counts(id).map((own) => ({
        ...own,
        name,
        type,
        leaderboard: leaderboard(id),
        standings: standings(id),
        agreements: agreements(id),
        ledger: ledger(id),
      })),
    ),
  };
}

export function pageData(gathered: GatheredPage): PageData {
  const rowsOf = byExperiment(gathered.audit.rows);
  return {
    ...gathered,
    numbers: judgedNumbers(gathered.audit, isFalse),
    experiments: gathered.experiments.map((one) => {
      const rows = rowsOf(one.experiment_id);
      return { ...one, rows, numbers: judgedNumbers({ rows }, () => true) };
    }),
  };
}

function byExperiment<T extends KeyedRow>(rows: readonly T[] = []): (id: string) => readonly T[] {
  const groups = groupsOf(rows, ({ experiment_id }) => experiment_id);
  return (id) => groups.get(id) ?? [];
}
