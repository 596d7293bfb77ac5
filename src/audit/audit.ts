/** The audit of a snapshot: every published number compared, and what differs explained. */
import { isKind, metricKind, type Conventions, type Kind } from "../metrics/index.js";
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
import { judgeAll, type AuditRow } from "./judge/rows.js";
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
import { acceptedIn, findingOf, liesOf } from "./judge/finding.js";
import { exclusiveOptions, liesIn } from "./explain/options.js";
import { precisionOfResult, type PublishedGroup, type ResultPrecision } from "./read/cells.js";
import { doubtsAbout, doubtText, noDoubts, type Doubts, type Unread } from "./read/doubts.js";
import { readItemNames, noNames, type ItemNames } from "./read/item-names.js";
import { readPublished } from "./read/read-published.js";
import { isKnownField } from "./read/scores.js";
import { isRank } from "./read/words.js";
import type { RecordShapes, ScoreShapes } from "./read/shapes.js";
import type { AuditReport, LeftOut, UnreadField } from "./tell/report.js";
import { ignoredAs, type Ignored } from "./judge/ignored.js";
import { defaultLimits, type SearchLimits } from "./explain/search.js";
import { defaultTolerances, type Tolerances } from "./compare/tolerances.js";
import { renamedItems, renamedText } from "./explain/repair-items.js";
import { readScales, scaleAmong, type Scale } from "./compare/scales.js";
import { isUnnamed, nameKind, noKindFits } from "./explain/unnamed.js";
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

/** Does `work` over some experiments after the other, with an engine of their `auditedModels`. */
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
  const settings = { conventions, tolerances, limits, accept };
  const doubts = snapshot.doubts ?? noDoubts;

  const published = await readPublished(warehouse, { scores: shapes, records });
  let engine = warehouse;
  const evaluatorOf = keepEvaluators(() => engine);
  const causes = explainer(evaluatorOf, settings);

  const rows: AuditRow[][] = [];
  let pending: readonly ComparedNumber[] = snapshot.quarantined ?? [];
  const results: ResultPrecision[][] = [];
  const unread_fields: UnreadField[][] = [];
  const contradictions: Contradiction[] = [];
  const left_out: LeftOut[] = [];
  const scales: Scale[][] = [];
  const flags: FlagRows[] = [];
  await inBatches(published.kinds, async (own, isIn) => {
    engine = own;
    const names = await readItemNames(own);
    const recomputed = await readRecomputed(own, published.kinds);
    const tools: Tools = {
      ...settings,
      ignore,
      doubts,
      names,
      evaluatorOf,
      tableOf: tablesFrom(recomputed, conventions, evaluatorOf),
      uncompared: await readUncompared(own),
    };
    // One result after the other, since all at once would take several times the memory.
    const compared: ComparedResult[] = [];
    const isOut = (group: PublishedGroup): boolean => isLeftOut(group, snapshot);
    for (const places of published.resultsOf(isIn, names)) {
      const audited = places.filter((group) => !isOut(group));
      for (const place of audited) compared.push(await compareResult(place, tools));
      contradictions.push(...contradictionsAmong(audited));
      for (const { published_in, experiment_id, cells } of places.filter(isOut))
        left_out.push({ published_in, experiment_id, numbers: cells.length });
    }
    const ownScales = await readScales(own);
    const ranked = groupsOf(
      compared.flatMap((result) => result.ranked ?? []),
      ({ target: { group } }) => keyOf(group.experiment_id, group.dimension),
    );
    const ranks = [...ranked.values()].flatMap((group) =>
      compareRanks(group, scaleAmong(ownScales, group[0].target.group)?.direction ?? null),
    );
    const open = compared.flatMap((result) => result.open ?? []);
    await causes.explain(open);
    const openIn = new Set(open.map(({ target }) => target.group.experiment_id));
    const numbers = [...pending, ...compared.flatMap((result) => result.numbers), ...ranks];
    // The others wait for what results of later batches show.
    const isSettled = ({ experiment_id }: ComparedNumber): boolean =>
      isIn(experiment_id) && !openIn.has(experiment_id);
    rows.push(judgeAll(numbers.filter(isSettled), contradictions, doubts, ignore));
    pending = numbers.filter((number) => !isSettled(number));
    results.push(compared.flatMap(({ precision }) => precision ?? []));
    unread_fields.push(compared.flatMap((result) => result.unread_fields));
    scales.push(ownScales);
    flags.push(await readFlags(own));
  });
  const shared = causes.shared();
  if (shared.size > 0)
    await inBatches(published.kinds, (own, isIn) => {
      engine = own;
      return causes.explainShared(shared, isIn);
    });

  const found = causes.explained().map((result) => ({ result, finding: findingOf(result) }));
  const findings = found.flatMap(({ finding }) => finding ?? []);
  const explained = [
    ...pending,
    ...found.flatMap(({ result }) => result.numbers),
    ...found.flatMap(({ result, finding }) => (finding === null ? [] : liesOf(finding, result))),
  ];
  const all = byExperiments([...rows, judgeAll(explained, contradictions, doubts, ignore)].flat());
  const weighted = (await warehouse.all(weightedSql)).map((row) => textOf(row, "experiment_id"));
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: countVerdicts(all),
    rows: all,
    correctness: correctnessOf({
      counts: byExperiments(flags.flatMap(({ counts }) => counts)),
      different: byExperiments(flags.flatMap(({ different }) => different)),
    }),
    findings,
    accepted: acceptedIn(accept, all, findings),
    contradictions: byExperiments(contradictions),
    left_out: byExperiments(left_out),
    unread: snapshot.unread ?? [],
    results: byExperiments(results.flat()),
    unread_fields: byExperiments(unread_fields.flat()),
    scales: byExperiments(scales.flat()),
    ...(weighted.length > 0 && { weighted }),
    shortfalls: snapshot.shortfalls ?? [],
  };
}

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

interface Tools extends CauseSettings, ComparedWith {
  readonly ignore: readonly Ignored[];
  readonly doubts: Doubts;
  readonly names: ReadonlyMap<string, ItemNames>;
  readonly evaluatorOf: EvaluatorOf;
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
    ? noKindFits
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

/** With the kinds of an unnamed result, why nothing is compared, and what quarantine lacks. */
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
  const numbers = cells.map(({ item, field, published }) =>
    numberOf(group, {
      ...{ item, field, published: published.value },
      [isWrong ? "note" : "obstacle"]: obstacle,
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
