/** The audit of a snapshot: every published number compared, and what differs explained. */
import { isKind, metricKind, type Conventions, type Kind, type Table } from "../metrics/index.js";
import type { Shortfall } from "../lake/index.js";
import { counted, groupsOf, joinParts, keyOf, sumOf } from "../platform/index.js";
import { textOf, type Warehouse } from "../warehouse/index.js";
import { besideWith, type BesideOf } from "./compare/beside.js";
import {
  compareSynonyms,
  namesNoMetric,
  noRatings,
  obstacleOf,
  problemsOf,
  readUncompared,
  type Uncompared,
} from "./compare/compare.js";
import { compareRanks, type RankedResult } from "./compare/ranks.js";
import { judgeAll } from "./judge/rows.js";
import { readRecomputed, tablesFrom } from "./recompute/own-numbers.js";
import { numberOf, type ComparedNumber, isApart } from "./result.js";
import { auditCorrectness } from "./compare/correctness.js";
import { contradictionsAmong, type Contradiction } from "./compare/contradictions.js";
import { keepEvaluators, type EvaluatorOf } from "./recompute/evaluator.js";
import { readOptions } from "./recompute/hypotheses.js";
import { impossibleMeans } from "./compare/without-ratings.js";
import type { CauseSettings, OpenResult } from "./explain/find-cause.js";
import { explainAll } from "./explain/find-causes.js";
import type { Acceptance } from "./explain/names.js";
import { acceptedIn, findingOf, liesOf } from "./judge/finding.js";
import { exclusiveOptions, liesIn } from "./explain/options.js";
import { precisionOfResult, type PublishedGroup, type ResultPrecision } from "./read/cells.js";
import { doubtsAbout, doubtText, noDoubts, type Doubts, type Unread } from "./read/doubts.js";
import { readItemNames, noNames, type ItemNames } from "./read/item-names.js";
import { readPublished } from "./read/read-published.js";
import { loadRatings } from "./recompute/ratings.js";
import type { RecordShapes, ScoreShapes } from "./read/shapes.js";
import type { AuditReport, LeftOut, UnreadField } from "./tell/report.js";
import { ignoredAs, type Ignored } from "./judge/ignored.js";
import { defaultLimits, type SearchLimits } from "./explain/limits.js";
import { defaultTolerances, type Tolerances } from "./compare/tolerances.js";
import { renamedItems, renamedText } from "./explain/repair-items.js";
import { readScales, scaleAmong } from "./compare/scales.js";
import { targetOf } from "./compare/target.js";
import { isUnnamed, kindNamer, noKindFits } from "./explain/unnamed.js";
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
  const { shapes = {}, records = {}, accept = [], ignore = [] } = options;
  const { tolerances = defaultTolerances, limits = defaultLimits } = options;
  const settings = { conventions, tolerances, limits, accept };
  const doubts = snapshot.doubts ?? noDoubts;

  const names = await readItemNames(warehouse);
  const published = await readPublished(warehouse, { scores: shapes, records }, names);
  await prepare(published.kinds);

  const evaluatorOf = keepEvaluators((experiment) => loadRatings(warehouse, experiment));
  const recomputed = await readRecomputed(warehouse, published.kinds);
  const tableOf = tablesFrom(recomputed, conventions, evaluatorOf);
  const besideOf = besideWith(tableOf, conventions, tolerances);
  const tools: Tools = {
    settings,
    ignore,
    doubts,
    names,
    evaluatorOf,
    besideOf,
    nameKind: kindNamer(evaluatorOf, besideOf, settings),
    uncompared: await readUncompared(warehouse),
  };

  // One result after the other, since all at once would take several times the memory.
  const compared: ComparedResult[] = [];
  const contradictions: Contradiction[] = [];
  const left_out: LeftOut[] = [];
  const isOut = (group: PublishedGroup): boolean => isLeftOut(group, snapshot);
  for (const places of published.results) {
    const audited = places.filter((group) => !isOut(group));
    for (const place of audited) compared.push(await compareResult(place, tools));
    contradictions.push(...contradictionsAmong(audited));
    for (const { published_in, experiment_id, cells } of places.filter(isOut))
      left_out.push({ published_in, experiment_id, numbers: cells.length });
  }
  const scales = await readScales(warehouse);
  const ranked = compared.flatMap((result) => result.ranked ?? []);
  const ranks = [
    ...groupsOf(ranked, ({ group }) => keyOf(group.experiment_id, group.dimension)).values(),
  ].flatMap((results) =>
    compareRanks(results, scaleAmong(scales, results[0].group)?.direction ?? null),
  );

  const explained = await explainAll(
    compared.flatMap(({ open }) => open ?? []),
    evaluatorOf,
    settings,
  );

  const found = explained.map((result) => ({ result, finding: findingOf(result) }));
  const findings = found.flatMap(({ finding }) => finding ?? []);
  const rows = judgeAll(
    [
      ...(snapshot.quarantined ?? []),
      ...compared.flatMap(({ numbers }) => numbers),
      ...ranks,
      ...explained.flatMap(({ numbers }) => numbers),
      ...found.flatMap(({ result, finding }) => (finding === null ? [] : liesOf(finding, result))),
    ],
    contradictions,
    doubts,
    ignore,
  );
  const weighted = (await warehouse.all(weightedSql)).map((row) => textOf(row, "experiment_id"));
  return {
    snapshot: snapshot.id,
    created_at: snapshot.created_at,
    summary: countVerdicts(rows),
    rows,
    correctness: await auditCorrectness(warehouse),
    findings,
    accepted: acceptedIn(accept, rows, findings),
    contradictions,
    left_out,
    unread: snapshot.unread ?? [],
    results: compared.flatMap(({ precision }) => precision ?? []),
    unread_fields: compared.flatMap(({ unread_fields }) => unread_fields),
    scales,
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

interface Tools {
  readonly settings: CauseSettings;
  readonly ignore: readonly Ignored[];
  readonly doubts: Doubts;
  readonly names: ReadonlyMap<string, ItemNames>;
  readonly evaluatorOf: EvaluatorOf;
  readonly besideOf: BesideOf;
  readonly nameKind: ReturnType<typeof kindNamer>;
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

const noValues: Table = { items: [], columns: {} };

async function compareResult(place: PublishedGroup, tools: Tools): Promise<ComparedResult> {
  const { settings, ignore, doubts, names, evaluatorOf, besideOf, nameKind } = tools;
  const named = isUnnamed(place) ? await nameKind(place) : undefined;
  const beside = named?.beside ?? (isKind(place.kind) ? await besideOf(place, place.kind) : null);
  const { group, kind, values } = beside ?? { group: place, kind: null, values: noValues };
  const { experiment_id, dimension, source, published_in } = group;
  const reason = isUnnamed(group)
    ? noKindFits
    : obstacleOf(group, values, names.get(experiment_id) ?? noNames);
  const unread_fields = unreadOf(group, kind).map(([field, numbers]): UnreadField => {
    const ignored = ignoredAs(ignore, group, field)?.reason ?? null;
    const key = { experiment_id, kind: group.kind, dimension, source, published_in };
    return { ...key, field, numbers, ignored };
  });
  const unread = unread_fields.map(({ field, numbers }) => unreadRow(group, field, numbers));
  if (isUncomparable(group)) return { numbers: unread, unread_fields };
  const precision = precisionOfResult(group);
  if (reason !== null || beside === null || kind === null)
    return {
      numbers: obstacleRows(group, kind, values, reason, settings, named === null),
      precision,
      unread_fields,
    };
  const others = [
    ...unread,
    ...exclusiveOptions(group, kind),
    ...(group.problems.length > 0 ? [numberOf(group, { obstacle: problemsOf(group) })] : []),
    ...compareSynonyms(group, values),
  ];
  const { compared } = beside;
  const obstacle = compared.every(isApart) ? tools.uncompared(group) : undefined;
  const note = lostFrom(compared, kind, doubts.experiments.get(experiment_id)?.lost ?? 0);
  const numbers = compared.map((own) =>
    named === undefined && !isApart(own)
      ? own
      : {
          ...own,
          note: own.note ?? (isApart(own) ? note : undefined),
          obstacle,
          kinds: own.published === null ? undefined : named?.names,
        },
  );
  const result = {
    precision,
    unread_fields,
    ...(group.ranks.length > 0 && { ranked: { group, kind, values } }),
  };
  if (!compared.some(isApart)) {
    const lies = await liesIn({ group, kind, values }, evaluatorOf, settings);
    return { ...result, numbers: [...others, ...numbers, ...lies] };
  }
  const isSearched = doubtsAbout(doubts, group).every(({ lost }) => lost > 0);
  return isSearched
    ? {
        ...result,
        numbers: others,
        open: { group, kind, numbers, doubt: doubtText(doubts, group) },
      }
    : { ...result, numbers: [...others, ...numbers] };
}

function obstacleRows(
  group: PublishedGroup,
  kind: Kind | null,
  values: Table,
  reason: string | null,
  { tolerances }: CauseSettings,
  isWrong: boolean,
): ComparedNumber[] {
  const proposed = kind && renamedText(renamedItems(targetOf(group, kind, tolerances), values));
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
    ...(kind !== null && reason === noRatings ? impossibleMeans(group, kind) : []),
  ];
}

const unreadOf = ({ unreadFields, options }: PublishedGroup, kind: Kind | null) => [
  ...Object.entries(unreadFields),
  ...(kind === null
    ? []
    : readOptions(kind, options).unread.map((name) => [`options.${name}`, 1] as const)),
];

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
