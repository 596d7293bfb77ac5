import {
  type AuditReport,
  attentionOf,
  numbersIn,
  type LakeAudit,
  diffSnapshots,
  type SnapshotDiff,
} from "../../audit/index.js";
import { type Manifest, diffManifests, listSnapshots, readManifest } from "../../lake/index.js";
import type { Conventions } from "../../metrics/index.js";
import { version, packageFile, readText, sumOf } from "../../platform/index.js";
import { modelPlan, type Recomputed, textOf, type Row, type Warehouse } from "../../warehouse/index.js";
import { boardsOf, partTablesOf, type Board, type PartTable } from "./boards.js";
import { type Html, limits } from "./html.js";
import {
  type PairTable,
  type ScoreTable,
  type SessionHistory,
  historiesOf,
  pairTablesOf,
  scoreTablesOf,
} from "./plot-data.js";
import { among, byId, grouped, numberOf } from "./rows.js";
import { type StatisticsData, statisticsOf } from "./statistics-data.js";

/** Everything that the page shows, as plain data. The same snapshot gives the same data. */
export interface ReportData {
  readonly project: string;
  /** Version of Recount. */
  readonly version: string;
  readonly service: string;
  /** SHA-256 of the snapshot's manifest, which names the digest of every other file. */
  readonly manifestDigest: string;
  readonly audit: AuditReport;
  readonly conventions: Conventions;
  /** All experiments, most urgent first, then in the order of the service. */
  readonly experiments: readonly ExperimentData[];
  /** Empty if statistics were not computed. */
  readonly statistics: readonly StatisticsData[];
  readonly checks: Awaited<ReturnType<typeof checksOf>>;
  readonly tables: ReturnType<typeof tablesOf>;
  readonly changes: ChangeData | null;
  readonly glossary: Awaited<ReturnType<typeof readGlossary>>;
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
  /** Null where the page shows only a summary of the experiment. */
  readonly details: ExperimentDetails | null;
}

/** What an experiment's ratings are, and how many of them count. */
export type ExperimentPopulation = ReturnType<typeof populationOf>;

export interface ExperimentDetails {
  readonly boards: readonly Board[];
  readonly parts: readonly PartTable[];
  readonly pairs: readonly PairTable[];
  readonly histories: readonly SessionHistory[];
  readonly scores: readonly ScoreTable[];
  readonly raters: readonly RaterData[];
  /** How many sessions answered exactly this number of slates. */
  readonly answered: readonly { readonly slates: number; readonly sessions: number; readonly completed: number }[];
  /** Seconds between two answers of a session; null if the slates have no times. */
  readonly seconds: { readonly low: number; readonly median: number; readonly high: number } | null;
}

export type RaterData = ReturnType<typeof raterOf>;

/** One question of the page and its answer. */
export interface Section {
  readonly id: string;
  /** The heading: a question. */
  readonly title: string;
  readonly render: (data: ReportData) => Html;
}

/** Collects what the page shows. The warehouse of the audit must hold every model. */
export async function gatherReport(
  { snapshot, warehouse, recomputed, report }: LakeAudit,
  conventions: Conventions,
  changes: ChangeData | null,
): Promise<ReportData> {
  const { manifest } = snapshot;
  const populations = byId(await warehouse.all(populationSql));
  const ownRows = grouped(report.rows, (row) => row.experiment_id);
  const experiments = manifest.experiments
    .map(({ id, name, type, state, reason }): ExperimentData => {
      const rows = ownRows(id);
      return {
        id,
        type,
        state,
        reason,
        name: name || id,
        attention: rows.reduce((most, { verdict }) => Math.max(most, attentionOf(verdict)), 0),
        numbers: numbersIn(rows),
        population: populationOf(populations(id)[0]),
        details: null,
      };
    })
    .toSorted((a, b) => b.attention - a.attention || Number(b.numbers > 0) - Number(a.numbers > 0));
  const ids = experiments.slice(0, limits.experiments).map(({ id }) => id);
  const boards = await boardsOf(warehouse, report, conventions, ids);
  const parts = partTablesOf(report);
  const pairs = await pairTablesOf(warehouse, ids, (id, dimension) => {
    const main = boards(id).find((board) => board.isMain && board.dimension === dimension);
    return main?.rows.map(({ row }) => row.item) ?? [];
  });
  const scores = await scoreTablesOf(warehouse, ids);
  const raters = await ratersOf(warehouse, ids);
  const hasStatistics = recomputed.models.some(({ name }) => name === "robustness");
  const statistics = hasStatistics ? ids.flatMap(await statisticsOf(warehouse, ids)) : [];
  const details = new Map<string, ExperimentDetails>();
  for (const id of ids) {
    const histories = await historiesOf(warehouse, id, conventions.elo);
    const own = { boards: boards(id), parts: parts(id, boards(id)), pairs: pairs(id), scores: scores(id), histories };
    details.set(id, { ...own, ...raters(id) });
  }
  return {
    project: manifest.project_id,
    version,
    service: manifest.service,
    manifestDigest: snapshot.manifestDigest,
    audit: report,
    conventions,
    experiments: experiments.map((each) => ({ ...each, details: details.get(each.id) ?? null })),
    statistics,
    checks: await checksOf(recomputed),
    tables: tablesOf(manifest),
    changes,
    glossary: await readGlossary(),
  };
}

/** The data checks, those with rows first. */
async function checksOf({ checks }: Recomputed) {
  const plan = await modelPlan();
  return checks
    .map(({ name, severity, rows }) => {
      const sql = plan.find((model) => model.name === name)?.sql ?? "";
      // The grain is what a row of it is.
      return { name, severity, rows, grain: /^-- grain: *(.+)$/m.exec(sql)?.[1] ?? "" };
    })
    .toSorted((a, b) => Number(b.rows > 0) - Number(a.rows > 0));
}

/** The tables of a snapshot, in the order of its manifest. */
function tablesOf({ units }: Manifest) {
  const parts = units.flatMap((unit) => unit.parts);
  const own = grouped(parts, ({ table }) => table);
  return [...new Set(parts.map(({ table }) => table))].map((table) => ({
    table,
    files: own(table).length,
    rows: sumOf(own(table).map(({ rows }) => rows)),
    quarantined: sumOf(own(table).map(({ quarantined }) => quarantined)),
    bytes: sumOf(own(table).map(({ bytes }) => bytes)),
  }));
}

const populationSql = `
  with ratings as (
    select experiment_id, count(*) as ratings, count_if(is_training) as training,
      count_if(not coalesce(is_completed, false)) as incomplete,
      count(distinct stimulus) as stimuli, count(distinct nullif(rater_id, '')) as raters
    from audit_ratings group by experiment_id),
  sessions as (
    select experiment_id, count(*) as sessions, count_if(is_completed) as completed,
      strftime(min(created_at), '%Y-%m-%d') as first_day,
      strftime(max(coalesce(completed_at, created_at)), '%Y-%m-%d') as last_day
    from stg_sessions group by experiment_id),
  used as (select experiment_id, count(score) as counted from int_population group by experiment_id)
  select * from ratings full join sessions using (experiment_id) full join used using (experiment_id)`;

/** The row of an experiment in `populationSql`, if it has ratings or sessions. */
function populationOf(row: Row | undefined) {
  const count = (column: string) => Number(row?.[column] ?? 0);
  return {
    ratings: count("ratings"),
    counted: count("counted"),
    training: count("training"),
    incomplete: count("incomplete"),
    sessions: count("sessions"),
    completed: count("completed"),
    raters: count("raters"),
    stimuli: count("stimuli"),
    /** First and last day of its sessions, ISO 8601; empty without sessions. */
    from: textOf(row ?? {}, "first_day"),
    to: textOf(row ?? {}, "last_day"),
  };
}

const file = packageFile("docs/reference/glossary.md");

/** The parts of docs/reference/glossary.md that a reader of the page needs. */
const wanted = ["Studies", "Audit"];

async function readGlossary() {
  const sections = (await readText(file)).split(/^## /m).slice(1);
  return sections
    .map((section) => ({
      title: section.split("\n")[0] ?? "",
      terms: [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
        .map(([, term = "", meaning = ""]) => ({ term, meaning }))
        .filter(({ term }) => term !== "Term"),
    }))
    .filter(({ title }) => wanted.includes(title));
}

const gapsSql = (ids: readonly string[]) => `
  select experiment_id, coalesce(rater_id, '') as rater_id,
    (epoch_ms(updated_at) - lag(epoch_ms(updated_at)) over (
      partition by experiment_id, session_id order by updated_at, slate_id)) / 1000 as seconds
  from stg_slates where updated_at is not null and session_id is not null and ${among(ids)}`;

const ratersSql = (ids: readonly string[]) => `
  select experiment_id, rater_id, sum(ratings) as ratings, sum(comparisons) as comparisons,
    100 * sum(cast(round(agreement_pct * comparable / 100) as bigint)) / nullif(sum(comparable), 0) as agreement,
    100 * sum(correct) / nullif(sum(correct) + sum(incorrect), 0) as correct
  from metric_raters where ${among(ids)}
  group by experiment_id, rater_id order by experiment_id, agreement nulls last, correct nulls last, rater_id`;

const answeredSql = (ids: readonly string[]) => `
  with answered as (
    select experiment_id, session_id, count(distinct slate_id) as slates
    from stg_ratings where ${among(ids)} group by experiment_id, session_id)
  select s.experiment_id, coalesce(a.slates, 0) as slates, count(*) as sessions, count_if(s.is_completed) as completed
  from stg_sessions as s left join answered as a using (experiment_id, session_id)
  where ${among(ids).replace("experiment_id", "s.experiment_id")}
  group by all order by all`;

/** @param seconds median between two answers */
const raterOf = (row: Row, seconds: number | null) => ({
  rater: textOf(row, "rater_id"),
  ratings: Number(row.ratings),
  comparisons: Number(row.comparisons),
  /** Percent of preferences that agree with the majority of the others. */
  agreement: numberOf(row, "agreement"),
  /** Percent of control ratings that are correct. */
  correct: numberOf(row, "correct"),
  seconds,
});

/** Agreement, correctness, speed and drop-out of each experiment among `ids`. */
async function ratersOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(experiment: string) => Pick<ExperimentDetails, "raters" | "answered" | "seconds">> {
  const raters = byId(await warehouse.all(ratersSql(ids)));
  const answered = byId(await warehouse.all(answeredSql(ids)));
  const speeds = await warehouse.all(
    `select experiment_id, rater_id, median(seconds) as seconds from (${gapsSql(ids)}) where seconds is not null group by all`,
  );
  const spread = byId(
    await warehouse.all(
      `select experiment_id, quantile_cont(seconds, 0.1) as low, median(seconds) as median,
         quantile_cont(seconds, 0.9) as high
       from (${gapsSql(ids)}) where seconds is not null group by experiment_id`,
    ),
  );
  const speed = grouped(speeds, (row) => JSON.stringify([row.experiment_id, row.rater_id]));
  return (id) => {
    const [seconds] = spread(id);
    return {
      raters: raters(id).map((row) =>
        raterOf(row, numberOf(speed(JSON.stringify([row.experiment_id, row.rater_id]))[0], "seconds")),
      ),
      answered: answered(id)
        .slice(0, limits.raters)
        .map((row) => ({
          slates: Number(row.slates),
          sessions: Number(row.sessions),
          completed: Number(row.completed),
        })),
      seconds:
        seconds === undefined
          ? null
          : { low: Number(seconds.low), median: Number(seconds.median), high: Number(seconds.high) },
    };
  };
}

/** What changed since the snapshot before. */
export type ChangeData = ReturnType<typeof changesOf>;

/** What differs from the snapshot before; null if there is none, or it is no longer in the lake. */
export async function changesSince(
  lake: string,
  after: Manifest,
  conventions: Conventions,
): Promise<ChangeData | null> {
  const { previous, project_id } = after;
  if (previous === null || !(await listSnapshots(lake, project_id)).includes(previous)) return null;
  const before = await readManifest(lake, project_id, previous);
  const isSmall = [before, after].every((manifest) => rowsOf(manifest) <= limits.comparedRows);
  const snapshots = { before: previous, after: after.snapshot };
  const diff = isSmall ? await diffSnapshots(lake, project_id, { ...snapshots, conventions, examples: 0 }) : null;
  return changesOf(before, after, diff);
}

const rowsOf = ({ units }: Manifest): number => sumOf(units.flatMap(({ parts }) => parts.map(({ rows }) => rows)));

/**
 * The differences with the names of the experiments.
 * @param diff rows by key, and recomputed numbers and ranks that moved; null if the snapshots are too large to compare so
 */
function changesOf(before: Manifest, after: Manifest, diff: SnapshotDiff | null) {
  const { changed, unchanged, tombstones } = diffManifests(before, after);
  const names = new Map([...before.experiments, ...after.experiments].map(({ id, name }) => [id, name || id]));
  const named = <T extends { readonly experiment_id: string | null }>(one: T) => {
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
