import { type Conventions, fieldsOf, isKind } from "../metrics/index.js";
import type { Shortfall } from "../lake/index.js";
import type { Warehouse } from "../warehouse/index.js";
import {
  type AuditRow,
  auditCorrectness,
  groupId,
  noValues,
  readRecomputed,
  readUncompared,
  uncomparedAs,
  compareGroup,
  notAuditable,
  obstacle,
  problemsOf,
  rankRows,
  sortRows,
  synonymRows,
} from "./compare.js";
import { type Contradiction, contradictionsAmong } from "./contradictions.js";
import { defaultTolerances, type Tolerances, defaultLimits, type SearchLimits } from "./settings.js";
import type { AuditReport, LeftOut, Unread, UnreadField } from "./report.js";
import { acceptedIn, type Acceptance, type Finding } from "./findings/finding.js";
import { findCauses, type CauseSettings, type Explained, type OpenResult } from "./findings/find-causes.js";
import { loadRatings } from "./ratings/index.js";
import {
  type PublishedGroup,
  noNames,
  readItemNames,
  readPublished,
  type ScoreShapes,
  type List,
  type RecordShapes,
  precisionOfResult,
  type ResultPrecision,
} from "./published/index.js";
import { attentionOf, countVerdicts } from "./verdict.js";

/** The parts of a snapshot's manifest that the audit needs. */
export interface AuditedSnapshot {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** The reason for each experiment whose data are torn, incomplete or partly in quarantine. */
  readonly unsettled: ReadonlyMap<string, string>;
  /** The reason for each list of the project that is torn. */
  readonly torn?: ReadonlyMap<List, string>;
  /** The experiments that were exported; default: all that the project lists. */
  readonly experiments?: ReadonlySet<string>;
  /** Elements of the lists that publish numbers, quarantined at the export and so missing from the tables. */
  readonly quarantined?: readonly QuarantinedNumbers[];
  readonly unread?: readonly Unread[];
  readonly shortfalls?: readonly Shortfall[];
}

interface QuarantinedNumbers {
  readonly list: List;
  /** Null for the lists of the project. */
  readonly experiment_id: string | null;
  readonly experiment_name: string;
  /** The source that was asked for; empty for the whole list. */
  readonly source: string;
  readonly elements: number;
}

export interface AuditOptions {
  readonly tolerances?: Tolerances;
  readonly shapes?: ScoreShapes;
  readonly records?: RecordShapes;
  /** Limits of the search for explanations; null: no search, every difference is unexplained. */
  readonly limits?: SearchLimits | null;
  /** Conventions that a person accepts; default: none. */
  readonly accept?: readonly Acceptance[];
}

/**
 * Compares every published number of a snapshot with the one that sql/ recomputed. The warehouse must hold the
 * snapshot's tables and the models that `recompute(warehouse, conventions)` makes.
 */
export async function auditSnapshot(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  conventions: Conventions,
  { tolerances = defaultTolerances, shapes = {}, records = {}, limits = defaultLimits, accept = [] }: AuditOptions = {},
): Promise<AuditReport> {
  const names = await readItemNames(warehouse);
  const published = await readPublished(warehouse, { scores: shapes, records }, names);
  const recomputed = await readRecomputed(warehouse);
  const uncompared = await readUncompared(warehouse);
  const parts: (readonly AuditRow[])[] = (snapshot.quarantined ?? []).map(quarantinedRows);
  const open: OpenResult[] = [];
  const contradictions: Contradiction[] = [];
  const leftOut: LeftOut[] = [];
  const precisions: ResultPrecision[] = [];
  const unread: UnreadField[] = [];
  const compareOne = (group: PublishedGroup): void => {
    const values = recomputed.get(groupId(group)) ?? noValues;
    const reason = obstacle(group, values, names.get(group.experiment_id) ?? noNames);
    if (reason !== null || !isKind(group.kind)) {
      parts.push(notAuditable(group, reason ?? ""));
      return;
    }
    if (group.problems.length > 0) parts.push(notAuditable(group, problemsOf(group)));
    parts.push(rankRows(group, group.kind, values), synonymRows(group, values));
    const compared = compareGroup(group, group.kind, values, tolerances);
    const differs = compared.some((row) => row.verdict === "unexplained");
    if (differs && limits !== null && doubtOf(group, snapshot) === undefined)
      open.push({ group, kind: group.kind, rows: compared });
    else parts.push(uncomparedAs(compared, uncompared));
  };
  for (const places of published) {
    const audited = places.filter((group) => !isLeftOut(group, snapshot));
    audited.forEach(compareOne);
    contradictions.push(...contradictionsAmong(audited));
    precisions.push(...audited.flatMap((group) => precisionOfResult(group) ?? []));
    unread.push(...audited.flatMap(unreadFieldsOf));
    for (const { published_in, experiment_id, cells } of places.filter((group) => isLeftOut(group, snapshot)))
      leftOut.push({ published_in, experiment_id, numbers: cells.length });
  }
  const searched =
    limits === null ? [] : await explainAll(warehouse, open, { conventions, tolerances, limits, accept });
  const explained = searched.map(({ rows: own, finding }): ExplainedRows => {
    const told = uncomparedAs(own, uncompared);
    return { rows: told, finding: told === own ? finding : null };
  });
  const rows = [...parts, ...explained.map((e) => e.rows)].flat();
  const settled = rows.map((row) => unsettledAs(row, snapshot));
  const findings = explained.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: countVerdicts(settled),
    rows: sortRows(settled, fieldRank),
    correctness: await auditCorrectness(warehouse),
    findings,
    accepted: acceptedIn(accept, settled, findings),
    contradictions,
    left_out: leftOut,
    unread: snapshot.unread ?? [],
    results: precisions,
    unread_fields: unread,
    shortfalls: snapshot.shortfalls ?? [],
  };
}

function unreadFieldsOf(group: PublishedGroup): UnreadField[] {
  const { experiment_id, kind, dimension, source, published_in } = group;
  const key = { experiment_id, kind, dimension, source, published_in };
  return Object.entries(group.unreadFields).map(([field, numbers]) => ({ ...key, field, numbers }));
}

function quarantinedRows({ list, experiment_id, experiment_name, source, elements }: QuarantinedNumbers): AuditRow[] {
  const key = {
    experiment_id: experiment_id ?? "",
    experiment_name,
    kind: "",
    dimension: "",
    source,
    published_in: list,
  };
  return notAuditable(
    key,
    `${elements} of its elements did not fit the record and ${elements === 1 ? "is" : "are"} in quarantine`,
  );
}

interface ExplainedRows {
  readonly rows: readonly AuditRow[];
  /** Null if the finding is reported with another result that publishes the same numbers. */
  readonly finding: Finding | null;
}

/** Explains the results of one experiment after another; numbers that are published twice are explained once. */
async function explainAll(
  warehouse: Warehouse,
  open: readonly OpenResult[],
  settings: CauseSettings,
): Promise<ExplainedRows[]> {
  const alike = new Map<string, OpenResult[]>();
  for (const result of open) {
    const key = JSON.stringify([groupId(result.group), result.group.cells, result.group.options]);
    alike.set(key, [...(alike.get(key) ?? []), result]);
  }
  const found = new Map<OpenResult, Explained>();
  const once = [...alike.values()].map(([first]) => first as OpenResult);
  for (const experiment of new Set(once.map(({ group }) => group.experiment_id))) {
    const results = once.filter(({ group }) => group.experiment_id === experiment);
    const ratings = await loadRatings(warehouse, experiment);
    const explained = await findCauses({ ratings, open: results, settings });
    results.forEach((result, i) => found.set(result, explained[i] as Explained));
  }
  return [...alike.values()].flatMap((results) => {
    const [first] = results as [OpenResult];
    const { rows, finding } = found.get(first) as Explained;
    const places = results.map(({ group }) => group.published_in);
    return results.map(({ group, rows: compared }) => ({
      rows: compared.map((row) => ({
        ...(rows.find((other) => isSameNumber(row, other)) ?? row),
        published_in: group.published_in,
      })),
      finding: group === first.group ? { ...finding, published_in: places } : null,
    }));
  });
}

function isSameNumber(a: AuditRow, b: AuditRow): boolean {
  return a.item === b.item && a.field === b.field && a.published === b.published;
}

/** The lists of a project cover all its experiments, including those that were not selected for the snapshot. */
function isLeftOut(
  { experiment_id, published_in, experiment_name }: PublishedGroup,
  { experiments }: AuditedSnapshot,
): boolean {
  const isListed = experiment_name !== "" && !published_in.startsWith("results");
  return isListed && experiments !== undefined && !experiments.has(experiment_id);
}

/** Why a difference proves nothing. The place of a number begins with its list, in the singular for a single board. */
function doubtOf(
  { experiment_id, published_in }: Pick<AuditRow, "experiment_id" | "published_in">,
  { unsettled, torn = new Map() }: AuditedSnapshot,
): string | undefined {
  const [, ofList] = [...torn].find(([list]) => published_in.startsWith(list.slice(0, -1))) ?? [];
  return [unsettled.get(experiment_id), ofList].filter(Boolean).join("; ") || undefined;
}

/** If data are missing, only agreement is conclusive: a difference may come from what is missing. */
function unsettledAs(row: AuditRow, snapshot: AuditedSnapshot): AuditRow {
  const reason = attentionOf(row.verdict) === 0 ? undefined : doubtOf(row, snapshot);
  if (reason === undefined) return row;
  const explanation = row.explanation === null ? reason : `${row.explanation}; ${reason}`;
  return { ...row, verdict: "inconclusive", explanation };
}

function fieldRank(kind: string, field: string): number {
  return isKind(kind) ? fieldsOf(kind).indexOf(field) : 0;
}
