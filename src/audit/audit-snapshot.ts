import { isKind, type Conventions, type Kind } from "../metrics/index.js";
import type { Shortfall } from "../lake/index.js";
import { counted, exitCodes, groupsOf } from "../platform/index.js";
import type { Warehouse } from "../warehouse/index.js";
import { atPrecisionOfResult, coarseAs } from "./coarse.js";
import {
  compareGroup,
  groupId,
  noteRow,
  noValues,
  notAuditable,
  obstacle,
  problemsOf,
  rankRows,
  readRecomputed,
  readUncompared,
  sortRows,
  synonymRows,
  uncomparedAs,
  type AuditRow,
  type RankedResult,
  type Uncompared,
} from "./compare.js";
import { auditCorrectness } from "./correctness.js";
import { contradictionsAmong, type Contradiction } from "./contradictions.js";
import { readOptions } from "./explain/hypotheses.js";
import type { OpenResult } from "./findings/find-cause.js";
import { explainAll } from "./findings/find-causes.js";
import { acceptedIn, type Acceptance, type Finding } from "./findings/finding.js";
import { exclusiveOptions, liesIn, liesOf, statesOthers } from "./options.js";
import {
  noNames,
  precisionOfResult,
  readItemNames,
  type PublishedGroup,
  type ResultPrecision,
} from "./published/cells.js";
import { readPublished } from "./published/read-published.js";
import type { RecordShapes, ScoreShapes } from "./published/shapes.js";
import type { PublishedList as List } from "../contract/index.js";
import type { AuditReport, LeftOut, Unread, UnreadField } from "./report.js";
import {
  defaultLimits,
  defaultTolerances,
  ignoredAs,
  type Ignored,
  type SearchLimits,
  type Tolerances,
} from "./settings.js";
import { asUnstated, isUnnamed, kindNamer, noKindFits, type NamedKind } from "./unnamed.js";
import { attentionOf, auditExitCode, countVerdicts } from "./verdict.js";

/** The parts of a snapshot's manifest that the audit needs. */
export interface AuditedSnapshot {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  /** The reason for each experiment whose data are torn, not all exported, or partly in quarantine. */
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
  /** Fields that a person leaves out; default: none. */
  readonly ignore?: readonly Ignored[];
}

/**
 * Compares every published number of a snapshot with the one that sql/ recomputed. The warehouse must hold the
 * snapshot's tables and the models that `recompute(warehouse, conventions)` makes.
 */
export async function auditSnapshot(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  conventions: Conventions,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const { tolerances = defaultTolerances, limits = defaultLimits, accept = [] } = options;
  const uncompared = await readUncompared(warehouse);
  const { parts, open, stating, unnamed, doubts, noted } = await compareAll(
    warehouse,
    snapshot,
    uncompared,
    conventions,
    options,
  );
  const explained =
    limits === null
      ? open.map(({ rows }) => ({ rows, finding: null }))
      : await explainAll(warehouse, open, { conventions, tolerances, limits, accept });
  const findings: Finding[] = [];
  for (const { rows, finding } of explained) {
    const told = uncomparedAs(rows, uncompared);
    parts.push(told);
    if (finding !== null && told === rows) findings.push(finding);
  }
  const experiments = new Map(open.map(({ group }) => [group.experiment_id, group.experiment_name]));
  parts.push(
    await liesIn(warehouse, stating, { conventions, tolerances }),
    findings.flatMap((finding) => liesOf(finding, experiments.get(finding.experiment_id) ?? "")),
  );
  const isIgnored = (row: AuditRow): boolean => ignoredAs(options.ignore ?? [], row, row.field) !== null;
  const settled = asUnstated(parts.flat(), unnamed)
    .filter((row) => row.item !== "" || row.field === "" || !isIgnored(row))
    .map((row) => unsettledAs(row, snapshot));
  const rows = contradictoryAs(settled, doubts, noted.contradictions);
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: countVerdicts(rows),
    rows: sortRows(rows),
    correctness: await auditCorrectness(warehouse),
    findings,
    accepted: acceptedIn(accept, rows, findings),
    contradictions: noted.contradictions,
    left_out: noted.left_out,
    unread: snapshot.unread ?? [],
    results: noted.results,
    unread_fields: noted.unread_fields,
    shortfalls: snapshot.shortfalls ?? [],
  };
}

/** What comparing gives before the search for causes. */
interface ComparedResults {
  readonly parts: (readonly AuditRow[])[];
  /** Results with numbers that differ although their data are all there. */
  readonly open: OpenResult[];
  /** Results that follow from the run's own conventions and state others. */
  readonly stating: OpenResult[];
  /** Results that name no metric, by the kind that gives their numbers. */
  readonly unnamed: NamedKind[];
  /** What says that the numbers of an item are another's, by `doubtKey`. */
  readonly doubts: ReadonlyMap<string, string>;
  readonly noted: {
    readonly contradictions: Contradiction[];
    readonly left_out: LeftOut[];
    readonly results: ResultPrecision[];
    readonly unread_fields: UnreadField[];
  };
}

/** Reads and compares one result after the other: all of them at once would take several times the memory. */
async function compareAll(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  uncompared: Uncompared,
  conventions: Conventions,
  { tolerances = defaultTolerances, limits = defaultLimits, shapes = {}, records = {}, ignore = [] }: AuditOptions,
): Promise<ComparedResults> {
  const names = await readItemNames(warehouse);
  const recomputed = await readRecomputed(warehouse);
  const parts: (readonly AuditRow[])[] = (snapshot.quarantined ?? []).map(quarantinedRows);
  const open: OpenResult[] = [];
  const stating: OpenResult[] = [];
  const unnamed: NamedKind[] = [];
  const nameKind = kindNamer(warehouse, { recomputed, conventions, tolerances, limits });
  const ranked: RankedResult[] = [];
  const doubts = new Map<string, string>();
  const noted: ComparedResults["noted"] = { contradictions: [], left_out: [], results: [], unread_fields: [] };
  for (const places of await readPublished(warehouse, { scores: shapes, records }, names)) {
    const audited = places.filter((group) => !isLeftOut(group, snapshot));
    for (const one of audited) {
      const named = isUnnamed(one) ? await nameKind(one) : null;
      if (named !== null) unnamed.push(named);
      const published = named?.group ?? one;
      const { experiment_id, kind, dimension, source, published_in } = published;
      const values = recomputed.get(groupId(published)) ?? noValues;
      const group = isKind(kind) ? atPrecisionOfResult(published, kind, values) : published;
      const reason = isUnnamed(group) ? noKindFits : obstacle(group, values, names.get(experiment_id) ?? noNames);
      const unread = { ...group.unreadFields, ...(isKind(kind) ? unreadOptions(group, kind) : {}) };
      for (const [field, numbers] of Object.entries(unread)) {
        const ignored = ignoredAs(ignore, group, field)?.reason ?? null;
        noted.unread_fields.push({ experiment_id, kind, dimension, source, published_in, field, numbers, ignored });
        if (reason === null || isUncomparable(group)) parts.push([unreadRow(group, field, numbers)]);
      }
      if (isUncomparable(group)) continue;
      if (reason !== null || !isKind(kind)) parts.push(notAuditable(group, reason ?? ""));
      else {
        parts.push(exclusiveOptions(group, kind));
        if (group.problems.length > 0) parts.push(notAuditable(group, problemsOf(group)));
        parts.push(synonymRows(group, values));
        if (group.ranks.length > 0) ranked.push({ group, kind, values });
        const rows = coarseAs(compareGroup(group, kind, values, tolerances), group, kind);
        for (const [item, says] of group.misnamed) doubts.set(doubtKey({ ...group, item, field: null }), says);
        const differs = rows.some(({ verdict }) => verdict === "unexplained");
        if (differs && doubtOf(group, snapshot) === undefined) open.push({ group, kind, rows });
        else parts.push(uncomparedAs(rows, uncompared));
        if (!differs && statesOthers({ group, kind }, conventions)) stating.push({ group, kind, rows });
      }
      const precision = precisionOfResult(group);
      if (precision !== null) noted.results.push(precision);
    }
    noted.contradictions.push(...contradictionsAmong(audited));
    for (const { published_in, experiment_id, cells } of places.filter((group) => isLeftOut(group, snapshot)))
      noted.left_out.push({ published_in, experiment_id, numbers: cells.length });
  }
  for (const [, results] of groupsOf(ranked, ({ group }) => group.experiment_id)) parts.push(rankRows(results));
  return { parts, open, stating, unnamed, doubts, noted };
}

type Doubted = Pick<AuditRow, "experiment_id" | "kind" | "dimension" | "source" | "published_in" | "item"> & {
  readonly field: string | null;
};

/** The number that a doubt is about; a field of null is every number of the item. */
const doubtKey = ({ experiment_id, kind, dimension, source, published_in, item, field }: Doubted): string =>
  JSON.stringify([experiment_id, kind, dimension, source, published_in, item, field]);

const passes = ({ verdict }: AuditRow): boolean => auditExitCode(countVerdicts([{ verdict }])) === exitCodes.ok;

/** Numbers that follow from the ratings, but have another item's name too, or another value in another place. */
function contradictoryAs(
  rows: readonly AuditRow[],
  doubts: ReadonlyMap<string, string>,
  contradictions: readonly Contradiction[],
): readonly AuditRow[] {
  const open = contradictions.filter(({ is_stated }) => !is_stated);
  if (doubts.size === 0 && open.length === 0) return rows;
  const all = new Map(doubts);
  const failing = new Set(rows.filter((row) => !passes(row)).map(doubtKey));
  for (const { published, ...number } of open) {
    const keys = published.map(({ published_in }) => doubtKey({ ...number, published_in }));
    // Where one of them does not follow, it is the wrong one.
    if (keys.some((key) => failing.has(key))) continue;
    const each = published.map(({ published_in, value }) => `${value} in ${published_in}`).join(", ");
    for (const key of keys) all.set(key, `published as ${each}`);
  }
  return rows.map((row) => {
    const explanation = all.get(doubtKey(row)) ?? all.get(doubtKey({ ...row, field: null }));
    return explanation === undefined || !passes(row) ? row : { ...row, verdict: "contradictory", explanation };
  });
}

const unreadOptions = ({ options }: PublishedGroup, kind: Kind): Record<string, number> =>
  Object.fromEntries(readOptions(kind, options).unread.map((name) => [`options.${name}`, 1]));

const unreadRow = (group: PublishedGroup, field: string, numbers: number): AuditRow =>
  noteRow(group, {
    field,
    numbers,
    verdict: "not_auditable",
    explanation:
      group.kind === ""
        ? "the record names no metric, so its numbers cannot be compared"
        : `${counted(numbers, "number")} without a definition: not compared`,
  });

/** An element of a list that holds numbers, of which none can be compared. */
const isUncomparable = ({ kind, cells, ranks, unreadFields, isPartial }: PublishedGroup): boolean =>
  isPartial && kind === "" && cells.length + ranks.length === 0 && Object.keys(unreadFields).length > 0;

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
