/** The audit of a snapshot: every published number compared, and what differs explained. */
import { fieldsOf, isKind, metricKind, type Conventions, type Kind } from "../metrics/index.js";
import type { Shortfall } from "../lake/index.js";
import { counted, groupsOf, joinParts, keyOf, sumOf } from "../platform/index.js";
import { textOf, type Warehouse } from "../warehouse/index.js";
import {
  compareWith,
  compareSynonyms,
  namesNoMetric,
  noRatings,
  obstacleOf,
  problemsOf,
  readUncompared,
  type Beside,
  type ComparedWith,
  type Uncompared,
} from "./compare/compare.js";
import { compareRanks, type RankedResult } from "./compare/ranks.js";
import { judgeAll, ignoredAs, type Ignored } from "./judge/rows.js";
import { readRecomputed, tablesFrom } from "./recompute/own-numbers.js";
import { byExperiments, isApart, numberOf, type ComparedNumber } from "./result.js";
import { correctnessOf, readFlags, type FlagRows } from "./compare/correctness.js";
import { contradictionsAmong, type Contradiction } from "./compare/contradictions.js";
import { keepEvaluators, type EvaluatorOf } from "./recompute/evaluator.js";
import { readOptions } from "./recompute/hypotheses.js";
import { impossibleMeans } from "./compare/without-ratings.js";
import type { CauseSettings, OpenResult } from "./explain/find-cause.js";
import { explainer } from "./explain/pool.js";
import type { Acceptance } from "./explain/names.js";
import { acceptedIn, findingOf } from "./judge/finding.js";
import { exclusiveOptions, liesIn } from "./explain/options.js";
import {
  precisionOfResult,
  type Cell,
  type PublishedGroup,
  type ResultPrecision,
} from "./read/cells.js";
import { doubtsAbout, doubtText, noDoubts, type Doubts, type Unread } from "./read/doubts.js";
import { readItemNames, noNames, type ItemNames } from "./read/item-names.js";
import { readPublished, type Published } from "./read/read-published.js";
import { isKnownField } from "./read/scores.js";
import { isRank } from "./read/words.js";
import type { RecordShapes, ScoreShapes } from "./read/shapes.js";
import type { AuditReport, LeftOut, UnreadField } from "./tell/report.js";
import { defaultLimits, type SearchLimits } from "./explain/search.js";
import { defaultTolerances, type Tolerances } from "./compare/tolerances.js";
import { renamedItems, renamedText } from "./explain/repair-items.js";
import { readScales, scaleAmong } from "./compare/scales.js";
import { isUnnamed, nameKind, noKindFits, tooFewToName } from "./explain/unnamed.js";
import { countVerdicts } from "./judge/verdict.js";

export interface AuditedSnapshot {
  readonly id: string;
  readonly created_at: string;
  readonly doubts?: Doubts;
  readonly experiments?: ReadonlySet<string>;
  /** Elements with numbers that the tables lack. */
  readonly quarantined?: readonly ComparedNumber[];
  readonly unread?: readonly Unread[];
  readonly shortfalls?: readonly Shortfall[];
}

export interface AuditOptions {
  readonly tolerances?: Tolerances;
  readonly shapes?: ScoreShapes;
  readonly records?: RecordShapes;
  readonly limits?: SearchLimits;
  readonly accept?: readonly Acceptance[];
  readonly ignore?: readonly Ignored[];
}

type IsIn = (experiment: string) => boolean;

/** Does `work` over experiments in turn, with an engine of their `auditedModels`. */
export type InBatches = (
  kinds: readonly Kind[],
  work: (warehouse: Warehouse, isIn: IsIn) => Promise<void>,
) => Promise<void>;

/**
 * @param warehouse with the snapshot's tables and `publishedModels`
 * @param inBatches default: `warehouse` has the models of all experiments
 */
export async function auditSnapshot(
  warehouse: Warehouse,
  snapshot: AuditedSnapshot,
  conventions: Conventions,
  options: AuditOptions = {},
  inBatches: InBatches = (_kinds, work) => work(warehouse, () => true),
): Promise<AuditReport> {
  const { shapes = {}, records = {}, accept = [], ignore = [] } = options;
  const { tolerances = defaultTolerances, limits = defaultLimits } = options;
  const doubts = snapshot.doubts ?? noDoubts;
  let engine = warehouse;
  const evaluatorOf = keepEvaluators(() => engine);
  const run: AuditRun = { conventions, tolerances, limits, accept, ignore, doubts, evaluatorOf };
  const causes = explainer(evaluatorOf, run);
  const published = await readPublished(warehouse, { scores: shapes, records });
  const batches: BatchColumns[] = [];
  let pending: readonly ComparedNumber[] = snapshot.quarantined ?? [];
  await inBatches(published.kinds, async (own, isIn) => {
    engine = own;
    const { numbers, open, ...batch } = await compareBatch(own, isIn, published, run, snapshot);
    await causes.explain(open);
    const openIn = new Set(open.map(({ target }) => target.group.experiment_id));
    // The others wait for what results of later batches show.
    const isSettled = ({ experiment_id }: ComparedNumber): boolean =>
      isIn(experiment_id) && !openIn.has(experiment_id);
    const all = [...pending, ...numbers];
    pending = all.filter((number) => !isSettled(number));
    const rows = judgeAll(all.filter(isSettled), batch.contradictions, doubts, ignore);
    batches.push({ ...batch, rows });
  });
  const shared = causes.shared();
  if (shared.size > 0)
    await inBatches(published.kinds, (own, isIn) => {
      engine = own;
      return causes.explainShared(shared, isIn);
    });
  const found = causes.explained();
  const findings = found.flatMap((result) => findingOf(result) ?? []);
  const all = <T extends { readonly experiment_id: string }>(
    of: (batch: BatchColumns) => readonly T[],
  ): T[] => byExperiments(batches.flatMap(of));
  const contradictions = all((batch) => batch.contradictions);
  const explained = [...pending, ...found.flatMap(({ numbers }) => numbers)];
  const last = judgeAll(explained, contradictions, doubts, ignore);
  const rows = byExperiments([...batches.flatMap((batch) => batch.rows), ...last]);
  const weighted = (await warehouse.all(weightedSql)).map((row) => textOf(row, "experiment_id"));
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: countVerdicts(rows),
    rows,
    correctness: correctnessOf(batches.map(({ flags }) => flags)),
    findings,
    accepted: acceptedIn(accept, rows, findings),
    contradictions,
    left_out: all((batch) => batch.left_out),
    unread: snapshot.unread ?? [],
    results: all((batch) => batch.results),
    unread_fields: all((batch) => batch.unread_fields),
    scales: all((batch) => batch.scales),
    ...(weighted.length > 0 && { weighted }),
    shortfalls: snapshot.shortfalls ?? [],
  };
}

type BatchColumns = Pick<
  AuditReport,
  "rows" | "contradictions" | "left_out" | "results" | "unread_fields" | "scales"
> & { readonly flags: FlagRows };

const weightedSql =
  "select distinct experiment_id from stg_weights where weight <> 1 order by experiment_id";

/** The lists of a project cover also experiments that the snapshot does not hold. */
function isLeftOut(
  { experiment_id, published_in, experiment_name }: PublishedGroup,
  { experiments }: AuditedSnapshot,
): boolean {
  const isListed = experiment_name !== "" && !published_in.startsWith("results");
  return isListed && experiments !== undefined && !experiments.has(experiment_id);
}

interface AuditRun extends CauseSettings {
  readonly ignore: readonly Ignored[];
  readonly doubts: Doubts;
  readonly evaluatorOf: EvaluatorOf;
}

/** @param warehouse with the `auditedModels` of some experiments */
async function compareBatch(
  warehouse: Warehouse,
  isIn: IsIn,
  { kinds, resultsOf }: Published,
  run: AuditRun,
  snapshot: AuditedSnapshot,
) {
  const names = await readItemNames(warehouse);
  const recomputed = await readRecomputed(warehouse, kinds);
  const tableOf = tablesFrom(recomputed, run.conventions, run.evaluatorOf);
  const tools: Tools = { ...run, names, tableOf, uncompared: await readUncompared(warehouse) };
  // One result after the other, since all at once would take several times the memory.
  const compared: ComparedResult[] = [];
  const contradictions: Contradiction[] = [];
  const left_out: LeftOut[] = [];
  for (const places of resultsOf(isIn, names)) {
    const isOut = (group: PublishedGroup): boolean => isLeftOut(group, snapshot);
    const audited = places.filter((group) => !isOut(group));
    for (const place of audited) compared.push(await compareResult(place, tools));
    contradictions.push(...contradictionsAmong(audited));
    for (const { published_in, experiment_id, cells } of places.filter(isOut))
      left_out.push({ published_in, experiment_id, numbers: cells.length });
  }
  const scales = await readScales(warehouse);
  const ranked = groupsOf(
    compared.flatMap((result) => result.ranked ?? []),
    ({ target: { group } }) => keyOf(group.experiment_id, group.dimension),
  );
  const ranks = [...ranked.values()].flatMap((results) =>
    compareRanks(results, scaleAmong(scales, results[0].target.group)?.direction ?? null),
  );
  return {
    numbers: [...compared.flatMap((result) => result.numbers), ...ranks],
    open: compared.flatMap((result) => result.open ?? []),
    contradictions,
    left_out,
    results: compared.flatMap(({ precision }) => precision ?? []),
    unread_fields: compared.flatMap((result) => result.unread_fields),
    scales,
    flags: await readFlags(warehouse),
  };
}

interface Tools extends AuditRun, ComparedWith {
  readonly names: ReadonlyMap<string, ItemNames>;
  readonly uncompared: Uncompared;
}

interface ComparedResult {
  /** Those that nothing has to explain. */
  readonly numbers: readonly ComparedNumber[];
  readonly open?: OpenResult;
  readonly ranked?: RankedResult;
  readonly precision?: ResultPrecision | null;
  readonly unread_fields: readonly UnreadField[];
}

async function compareResult(place: PublishedGroup, tools: Tools): Promise<ComparedResult> {
  const { ignore, doubts, names, evaluatorOf, conventions } = tools;
  const named = isUnnamed(place) ? await nameKind(place, tools) : undefined;
  const result =
    named?.result ?? (isKind(place.kind) ? await compareWith(tools, place, place.kind) : null);
  const { group, kind } = result?.target ?? { group: place, kind: null };
  const { experiment_id, dimension, source, published_in } = group;
  const unread_fields = unreadOf(group, kind).map(([field, numbers]): UnreadField => {
    const ignored = ignoredAs(ignore, group, field)?.reason ?? null;
    const key = { experiment_id, kind: group.kind, dimension, source, published_in };
    return { ...key, field, numbers, ignored };
  });
  const unread = unread_fields.map(({ field, numbers }) => unreadRow(group, field, numbers));
  if (isUncomparable(group)) return { numbers: unread, unread_fields };
  const precision = precisionOfResult(group);
  const reason = isUnnamed(group)
    ? named === null
      ? noKindFits
      : tooFewToName
    : obstacleOf(group, result?.values.items ?? [], names.get(experiment_id) ?? noNames);
  if (reason !== null || result === null) {
    const numbers = obstacleRows(group, result, reason, named === null);
    return { numbers, precision, unread_fields };
  }
  const { target, values } = result;
  const others = [
    ...unread,
    ...exclusiveOptions(group, target.kind),
    ...(group.problems.length > 0 ? [numberOf(group, { obstacle: problemsOf(group) })] : []),
    ...compareSynonyms(group, values),
  ];
  const numbers = notedNumbers(result, named?.names, tools);
  const compared = {
    precision,
    unread_fields,
    ...(group.ranks.length > 0 && { ranked: { target, values } }),
  };
  if (!numbers.some(isApart)) {
    const lies = await liesIn(result, evaluatorOf, conventions);
    return { ...compared, numbers: [...others, ...numbers, ...lies] };
  }
  const isSearched = doubtsAbout(doubts, group).every(({ lost }) => lost > 0);
  return isSearched
    ? {
        ...compared,
        numbers: others,
        open: { target, numbers, doubt: doubtText(doubts, group) },
      }
    : { ...compared, numbers: [...others, ...numbers] };
}

/** With the kinds of an unnamed result, and why a number may differ. */
function notedNumbers(
  { target: { group, kind }, numbers }: Beside,
  kinds: readonly string[] | undefined,
  { doubts, uncompared }: Tools,
): readonly ComparedNumber[] {
  const obstacle = numbers.every(isApart) ? uncompared(group) : undefined;
  const note = lostFrom(numbers, kind, doubts.experiments.get(group.experiment_id)?.lost ?? 0);
  return numbers.map((number) =>
    kinds === undefined && !isApart(number)
      ? number
      : {
          ...number,
          note: number.note ?? (isApart(number) ? note : undefined),
          obstacle,
          kinds: number.published === null ? undefined : kinds,
        },
  );
}

function obstacleRows(
  group: PublishedGroup,
  result: Beside | null,
  reason: string | null,
  isWrong: boolean,
): ComparedNumber[] {
  const proposed = result && renamedText(renamedItems(result.target, result.values));
  const obstacle = joinParts([reason, proposed], "; ");
  const cells = isUnnamed(group) ? group.cells : [];
  const isCounted = ({ field }: Cell): boolean => fieldsOf("win_loss").includes(field);
  const areCounts = cells.every(isCounted);
  const numbers = cells.map((cell) =>
    numberOf(group, {
      ...{ item: cell.item, field: cell.field, published: cell.published.value },
      [isWrong && (areCounts || !isCounted(cell)) ? "note" : "obstacle"]: obstacle,
    }),
  );
  return [
    ...(numbers.length > 0 ? numbers : [numberOf(group, { obstacle })]),
    ...(result !== null && reason === noRatings ? impossibleMeans(result.target) : []),
  ];
}

function unreadOf({ unread, options }: PublishedGroup, kind: Kind | null): [string, number][] {
  const stated = kind === null ? [] : readOptions(kind, options).unread;
  const names = [...unread, ...stated.map((name) => `options.${name}`)];
  return [...groupsOf(names, (name) => name)].map(([name, all]) => [name, all.length]);
}

const unreadRow = (group: PublishedGroup, field: string, numbers: number): ComparedNumber =>
  numberOf(group, {
    field,
    numbers,
    obstacle:
      group.kind === ""
        ? namesNoMetric
        : isKnownField(group.kind, field) && !isRank(field)
          ? `${counted(numbers, "value")} not written as a number: not compared`
          : `${counted(numbers, "number")} without a definition: not compared`,
  });

const isUncomparable = ({ kind, cells, ranks, unread, isPartial }: PublishedGroup): boolean =>
  isPartial && kind === "" && cells.length + ranks.length === 0 && unread.length > 0;

function lostFrom(
  compared: readonly ComparedNumber[],
  kind: Kind,
  lost: number,
): string | undefined {
  const more = sumOf(
    compared.map(({ field, difference }) => (field === "n" ? (difference ?? 0) : 0)),
  );
  const isPairwise = metricKind(kind).family === "pairwise";
  const noun = isPairwise ? "vote" : "rating";
  return lost > 0 && more === lost * (isPairwise ? 2 : 1)
    ? `the published n count ${counted(lost, noun)} more, as many as are in quarantine`
    : undefined;
}
