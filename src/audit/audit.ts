/** The audit of a snapshot: every published number compared, and what differs explained. */
import { isKind, metricKind, type Conventions, type Kind } from "../metrics/index.js";
import type { Shortfall } from "../lake/index.js";
import { counted, groupsOf, joinParts, keyOf, sumOf } from "../platform/index.js";
import { textOf, type Warehouse } from "../warehouse/index.js";
import { nothingOwn, valuesFrom } from "./compare/beside.js";
import { atPrecisionOfResult, withCoarse } from "./compare/coarse.js";
import {
  compareGroup,
  compareRanks,
  compareSynonyms,
  judgedRow,
  namesNoMetric,
  noRatings,
  numberOf,
  obstacleOf,
  problemsOf,
  readRecomputed,
  readUncompared,
  sortRows,
  type ComparedNumber,
  type RankedResult,
} from "./compare/compare.js";
import { auditCorrectness } from "./compare/correctness.js";
import {
  contradictionsAmong,
  withContradictions,
  type Contradiction,
} from "./compare/contradictions.js";
import { keepEvaluators, type EvaluatorOf } from "./recompute/evaluator.js";
import { isApart } from "./judge/judge.js";
import { readOptions } from "./recompute/hypotheses.js";
import { impossibleMeans } from "./compare/without-ratings.js";
import type { CauseSettings, OpenResult } from "./explain/find-cause.js";
import { explainAll } from "./explain/find-causes.js";
import { acceptedIn, type Acceptance } from "./judge/finding.js";
import { exclusiveOptions, liesIn, liesOf } from "./explain/options.js";
import {
  noNames,
  precisionOfResult,
  readItemNames,
  type GroupKey,
  type PublishedGroup,
  type ResultPrecision,
} from "./read/cells.js";
import { readPublished } from "./read/read-published.js";
import { loadRatings } from "./recompute/ratings.js";
import type { RecordShapes, ScoreShapes } from "./read/shapes.js";
import type { PublishedList as List } from "../contract/index.js";
import type { AuditReport, LeftOut, Unread, UnreadField } from "./tell/report.js";
import {
  defaultLimits,
  defaultTolerances,
  ignoredAs,
  type Ignored,
  type SearchLimits,
  type Tolerances,
} from "./judge/settings.js";
import { renamedItems, renamedText } from "./explain/repair-items.js";
import { readScales, scaleAmong } from "./compare/scales.js";
import { targetOf } from "./compare/target.js";
import { isUnnamed, kindNamer, noKindFits } from "./explain/unnamed.js";
import { countVerdicts } from "./judge/verdict.js";

export interface AuditedSnapshot {
  readonly id: string;
  readonly created_at: string;
  readonly unsettled: ReadonlyMap<string, string>;
  readonly lost?: ReadonlyMap<string, number>;
  readonly torn?: ReadonlyMap<List, string>;
  readonly experiments?: ReadonlySet<string>;
  /** Elements with numbers that the tables lack. */
  readonly quarantined?: readonly QuarantinedNumbers[];
  readonly unread?: readonly Unread[];
  readonly shortfalls?: readonly Shortfall[];
}

interface QuarantinedNumbers {
  readonly list: List;
  readonly experiment_id: string | null;
  readonly experiment_name: string;
  readonly source: string;
  readonly elements: number;
}

export interface AuditOptions {
  readonly tolerances?: Tolerances;
  readonly shapes?: ScoreShapes;
  readonly records?: RecordShapes;
  readonly limits?: SearchLimits;
  readonly accept?: readonly Acceptance[];
  readonly ignore?: readonly Ignored[];
}

/**
 * @param warehouse with the snapshot's tables and `publishedModels`
 * @param prepare makes `auditedModels`; default: they are there
 */
export async function auditSnapshot(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  conventions: Conventions,
  options: AuditOptions = {},
  prepare: (kinds: readonly Kind[]) => Promise<void> = () => Promise.resolve(),
): Promise<AuditReport> {
  const { tolerances = defaultTolerances, limits = defaultLimits, accept = [] } = options;
  const settings = { conventions, tolerances, limits, accept };
  const evaluatorOf = keepEvaluators((experiment) => loadRatings(warehouse, experiment));
  const compared = await compareAll(warehouse, snapshot, evaluatorOf, settings, options, prepare);
  const { open, contradictions } = compared;
  const { numbers: explained, findings } = await explainAll(open, evaluatorOf, settings);
  const names = new Map(open.map(({ group }) => [group.experiment_id, group.experiment_name]));
  const contrary = findings.flatMap((finding) =>
    liesOf(finding, names.get(finding.experiment_id) ?? ""),
  );
  const numbers = [...compared.parts.flat(), ...explained, ...contrary]
    .filter(
      (one) =>
        one.item !== "" ||
        one.field === "" ||
        ignoredAs(options.ignore ?? [], one, one.field) === null,
    )
    .map((one) => {
      const doubt = doubtOf(one, snapshot);
      return doubt === undefined ? one : { ...one, doubt };
    });
  const weighted = (await warehouse.all(weightedSql)).map((row) => textOf(row, "experiment_id"));
  const rows = withContradictions(numbers, contradictions).map(judgedRow);
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: countVerdicts(rows),
    rows: sortRows(rows),
    correctness: await auditCorrectness(warehouse),
    findings,
    accepted: acceptedIn(accept, rows, findings),
    contradictions,
    left_out: compared.left_out,
    unread: snapshot.unread ?? [],
    results: compared.precisions,
    unread_fields: compared.unread_fields,
    scales: compared.scales,
    ...(weighted.length > 0 && { weighted }),
    shortfalls: snapshot.shortfalls ?? [],
  };
}

const weightedSql =
  "select distinct experiment_id from stg_weights where weight <> 1 order by experiment_id";

/** One result after the other, since all at once would take several times the memory. */
async function compareAll(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  evaluatorOf: EvaluatorOf,
  settings: CauseSettings,
  { shapes = {}, records = {}, ignore = [] }: AuditOptions,
  prepare: (kinds: readonly Kind[]) => Promise<void>,
) {
  const names = await readItemNames(warehouse);
  const published = await readPublished(warehouse, { scores: shapes, records }, names);
  await prepare(published.kinds);
  const recomputed = await readRecomputed(warehouse, published.kinds);
  const uncompared = await readUncompared(warehouse);
  const parts: ComparedNumber[][] = [(snapshot.quarantined ?? []).map(quarantinedRow)];
  const open: OpenResult[] = [];
  const { conventions, tolerances } = settings;
  const valuesOf = valuesFrom(recomputed, conventions, tolerances, evaluatorOf);
  const nameKind = kindNamer(evaluatorOf, valuesOf, settings);
  const ranked: RankedResult[] = [];
  const contradictions: Contradiction[] = [];
  const left_out: LeftOut[] = [];
  const precisions: ResultPrecision[] = [];
  const unread_fields: UnreadField[] = [];
  for (const places of published.results) {
    const audited = places.filter((group) => !isLeftOut(group, snapshot));
    for (const one of audited) {
      const named = isUnnamed(one) ? await nameKind(one) : null;
      const read = named?.group ?? one;
      const { experiment_id, kind, dimension, source, published_in } = read;
      const { values, areTooFew } = isKind(kind) ? await valuesOf(read, kind) : nothingOwn;
      const group = isKind(kind) ? atPrecisionOfResult(read, kind, values) : read;
      const reason = isUnnamed(group)
        ? noKindFits
        : obstacleOf(group, values, names.get(experiment_id) ?? noNames);
      const unread = { ...group.unreadFields, ...(isKind(kind) ? unreadOptions(group, kind) : {}) };
      for (const [field, numbers] of Object.entries(unread)) {
        const ignored = ignoredAs(ignore, group, field)?.reason ?? null;
        unread_fields.push({
          experiment_id,
          kind,
          dimension,
          source,
          published_in,
          field,
          numbers,
          ignored,
        });
        if (reason === null || isUncomparable(group))
          parts.push([unreadRow(group, field, numbers)]);
      }
      if (isUncomparable(group)) continue;
      if (reason !== null || !isKind(kind)) {
        const proposed =
          isKind(kind) && renamedText(renamedItems(targetOf(group, kind, tolerances), values));
        const obstacle = joinParts([reason, proposed], "; ");
        const each = isUnnamed(group) ? group.cells : [];
        const numbers = each.map(({ item, field, published }) =>
          numberOf(group, { item, field, published: published.value, obstacle }),
        );
        parts.push(numbers.length > 0 ? numbers : [numberOf(group, { obstacle })]);
        if (isKind(kind) && reason === noRatings) parts.push(impossibleMeans(group, kind));
      } else {
        parts.push(exclusiveOptions(group, kind));
        if (group.problems.length > 0)
          parts.push([numberOf(group, { obstacle: problemsOf(group) })]);
        parts.push(compareSynonyms(group, values));
        if (group.ranks.length > 0) ranked.push({ group, kind, values });
        const compared = withCoarse(
          compareGroup(group, kind, values, tolerances),
          group,
          kind,
          areTooFew,
        );
        const differs = compared.some(isApart);
        const obstacle = compared.every(isApart) ? uncompared(group) : undefined;
        const lost = snapshot.lost?.get(experiment_id) ?? 0;
        const note = lostFrom(compared, kind, lost);
        const numbers = compared.map((own) =>
          named === null && !isApart(own)
            ? own
            : {
                ...own,
                note: own.note ?? (isApart(own) ? note : undefined),
                obstacle,
                kinds: own.published === null ? undefined : named?.names,
              },
        );
        const doubt = doubtOf(group, snapshot);
        const isForLost = doubt === snapshot.unsettled.get(experiment_id);
        const isSearched = doubt === undefined || (isForLost && lost > 0);
        if (differs && isSearched) open.push({ group, kind, numbers, doubt });
        else parts.push(numbers);
        if (!differs) parts.push(await liesIn({ group, kind, values }, evaluatorOf, settings));
      }
      const precision = precisionOfResult(group);
      if (precision !== null) precisions.push(precision);
    }
    contradictions.push(...contradictionsAmong(audited));
    for (const { published_in, experiment_id, cells } of places.filter((group) =>
      isLeftOut(group, snapshot),
    ))
      left_out.push({ published_in, experiment_id, numbers: cells.length });
  }
  const scales = await readScales(warehouse);
  const scaleOf = ({ group: { experiment_id, dimension } }: RankedResult): string =>
    keyOf(experiment_id, dimension);
  for (const own of groupsOf(ranked, scaleOf).values())
    parts.push(compareRanks(own, scaleAmong(scales, own[0].group)?.direction ?? null));
  return { parts, scales, open, contradictions, left_out, precisions, unread_fields };
}

function lostFrom(
  compared: readonly ComparedNumber[],
  kind: Kind,
  lost: number,
): string | undefined {
  const more = sumOf(
    compared.map(({ field, difference }) => (field === "n" ? (difference ?? 0) : 0)),
  );
  const [noun, each] =
    metricKind(kind).family === "pairwise" ? (["vote", 2] as const) : (["rating", 1] as const);
  return lost > 0 && more === lost * each
    ? `the published n count ${counted(lost, noun)} more, as many as are in quarantine`
    : undefined;
}

const unreadOptions = ({ options }: PublishedGroup, kind: Kind): Record<string, number> =>
  Object.fromEntries(readOptions(kind, options).unread.map((name) => [`options.${name}`, 1]));

const unreadRow = (group: PublishedGroup, field: string, numbers: number): ComparedNumber =>
  numberOf(group, {
    field,
    numbers,
    obstacle:
      group.kind === ""
        ? namesNoMetric
        : `${counted(numbers, "number")} without a definition: not compared`,
  });

const isUncomparable = ({ kind, cells, ranks, unreadFields, isPartial }: PublishedGroup): boolean =>
  isPartial &&
  kind === "" &&
  cells.length + ranks.length === 0 &&
  Object.keys(unreadFields).length > 0;

function quarantinedRow({
  list,
  experiment_id,
  experiment_name,
  source,
  elements,
}: QuarantinedNumbers): ComparedNumber {
  const own = { experiment_id: experiment_id ?? "", experiment_name, source, published_in: list };
  const are = elements === 1 ? "is" : "are";
  const obstacle = `${elements} of its elements did not fit the record and ${are} in quarantine`;
  return numberOf({ ...own, kind: "", dimension: "" }, { obstacle });
}

/** The lists of a project cover also experiments that the snapshot does not hold. */
function isLeftOut(
  { experiment_id, published_in, experiment_name }: PublishedGroup,
  { experiments }: AuditedSnapshot,
): boolean {
  const isListed = experiment_name !== "" && !published_in.startsWith("results");
  return isListed && experiments !== undefined && !experiments.has(experiment_id);
}

/** Why a difference proves nothing. A place begins with its list, in the singular for a board. */
function doubtOf(
  { experiment_id, published_in }: Pick<GroupKey, "experiment_id" | "published_in">,
  { unsettled, torn = new Map() }: AuditedSnapshot,
): string | undefined {
  const [, ofList] = [...torn].find(([list]) => published_in.startsWith(list.slice(0, -1))) ?? [];
  return [unsettled.get(experiment_id), ofList].filter(Boolean).join("; ") || undefined;
}
