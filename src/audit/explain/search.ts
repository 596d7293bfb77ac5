/** The search for the conventions that reproduce the published numbers of one result. */
import { isOfInterval, mainField, metricKind, type Table } from "../../metrics/index.js";
import { isSameScenario, patched, type Scenario } from "../recompute/scenario.js";
import type { Evaluator } from "../recompute/evaluator.js";
import { cached, sumOf } from "../../platform/index.js";
import { itemsOf } from "../recompute/ratings.js";
import {
  fitOf,
  maxOutliers,
  missesOf,
  modelOf,
  type Target,
  type TargetFit,
} from "../compare/target.js";
import {
  hypothesesFor,
  statedIn,
  unitScales,
  whatIs,
  type Hypothesis,
  type ShownNumbers,
} from "../recompute/hypotheses.js";
import { leftOutOf } from "./left-out.js";
import { inUnit, isScale, ownInUnit, unitHypotheses, type FittedUnit } from "../compare/unit.js";

export interface SearchLimits {
  /** Ratings, comparisons and pairs to process before the search of one result ends. */
  readonly work: number;
}

export const defaultLimits: SearchLimits = { work: 5e9 };

/** Which conventions give the numbers of a published result. */
interface Question {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly own: Scenario;
  readonly limits?: SearchLimits;
  /** By other results, or by a person. */
  readonly known?: SharedConventions | null;
  /** Whether a person accepts what nobody else states. */
  readonly isAccepted?: (unstated: string) => boolean;
}

export interface SearchResult {
  readonly own: Candidate;
  readonly candidates: readonly Candidate[];
  readonly stated: readonly Hypothesis[];
  readonly shared: SharedConventions | null;
  readonly isAccepted: (unstated: string) => boolean;
  readonly tried: number;
  readonly untried: readonly string[];
  readonly rivalsOf: (candidate: Candidate) => Candidate[];
  readonly leavingOut: () => SearchResult;
  readonly over: (some: Target) => SearchResult;
  readonly inUnitOf: (of: Pick<Candidate, "of" | "unit">, hypotheses: Combination) => Candidate;
}

/** Simplest first, starting from stated conventions, then `known` ones, then own. */
export function search(question: Question): SearchResult {
  const { target, evaluator, own, limits = defaultLimits, known = null } = question;
  const maxWork = evaluator.work + limits.work;
  const candidates = createCandidates(question);
  const stated = statedIn(target.kind, target.group.options);
  const differing = stated.filter((h) => !isSameScenario(patched(own, h.set), own));
  const untried = new Set<string>();
  const parts = bearing(candidates.own, known?.parts ?? []);
  const shared = known === null || parts.length === 0 ? null : { ...known, parts };
  const others = parts.filter(({ axis }) => differing.every((h) => h.axis !== axis));
  const starts = [[...differing, ...others], differing, others, []];
  const distinct = new Map(starts.map((given) => [candidateName({ hypotheses: given }), given]));
  const from = [...distinct.values()].map((given) => startFrom(question, given, candidates));
  const tryStage = (start: Start, stage: Stage): void => {
    if (isCutShort(start, stage, maxWork)) untried.add(stage.name);
  };
  // Explained alone, it needs nothing that other results show, and may be their rival.
  const alone = from.at(-1)!;
  if (others.length > 0) tryStage(alone, singles);
  for (const start of from) for (const stage of [singles, pairs]) tryStage(start, stage);
  considerOneMore(alone, maxWork, target);
  const inUnits = cached<Target, Map<string, Candidate>>(() => new Map());
  const inUnitOf: SearchResult["inUnitOf"] = ({ of, unit }, hypotheses) => {
    const key = JSON.stringify([unit?.unit.name, candidateName({ hypotheses })]);
    const found = inUnits(of).get(key);
    if (found !== undefined) return found;
    const scenario = scenarioUnder(own, hypotheses);
    const shown = inUnit(of, evaluator, scenario, hypotheses, { as: unit });
    const made = candidateOf(of, evaluator, hypotheses, shown);
    inUnits(of).set(key, made);
    return made;
  };
  const resultOver = (of: Target): SearchResult => {
    if (of !== target) considerOneMore(alone, maxWork, of);
    const ranked = (): Candidate[] => rankedOver(of, candidates.all());
    return {
      own: refitted(candidates.own, of),
      candidates: ranked(),
      stated,
      shared,
      isAccepted: question.isAccepted ?? (() => false),
      tried: candidates.tried(),
      untried: [...untried],
      rivalsOf: (candidate) => {
        const open = candidate.hypotheses.filter((part) =>
          stated.every((h) => h.name !== part.name),
        );
        for (const part of open) considerInPlaceOf(part, candidate, alone);
        return rivalsAmong(candidate, ranked());
      },
      leavingOut: () => {
        const [start] = from as [Start];
        const ties = hypothesesOf(start).filter(({ axis }) => axis === "ties");
        for (const beside of [[], ...ties.map((one) => [one])])
          if (isLeavingOutCutShort(start, start.withGiven(beside), maxWork))
            untried.add("one rater or session left out");
        return resultOver(of);
      },
      over: resultOver,
      inUnitOf,
    };
  };
  return resultOver(target);
}

/** Best first, without those that suppose something of other numbers alone. */
function rankedOver(of: Target, all: readonly Candidate[]): Candidate[] {
  const fields = new Set(of.cells.map(({ field }) => field));
  const bears = (one: Hypothesis): boolean =>
    of.hasEnds || one.fields?.some((field) => fields.has(field)) !== false;
  return all
    .filter(({ hypotheses }) => hypotheses.every(bears))
    .map((candidate) => refitted(candidate, of))
    .sort(byPreference);
}

export function candidateOf(
  of: Target,
  evaluator: Evaluator,
  hypotheses: Combination,
  { unit, scenario }: Pick<Candidate, "unit" | "scenario">,
  withEnds = of.hasEnds,
): Candidate {
  const tableOf = (): Table => evaluator.table(of.kind, scenario, withEnds);
  const table = tableOf();
  return {
    hypotheses,
    unit,
    evaluator,
    scenario,
    table: tableOf,
    isVague: table.noise !== undefined || table.stopped !== undefined,
    of,
    fit: fitOf(of, table, scenario.rounding),
    nameBits: sumOf(hypotheses.map(({ bits }) => bits)),
  };
}

export const refitted = (candidate: Candidate, of: Target): Candidate =>
  candidate.of === of
    ? candidate
    : { ...candidate, of, fit: fitOf(of, candidate.table(), candidate.scenario.rounding) };

/** No line through the numbers, which may be a convention that comes near one. */
const isNoLine = ({ scenario, unit }: Candidate): boolean =>
  unit !== null || scenario.rescaled === null;

function considerOneMore(start: Start, maxWork: number, of: Target): void {
  const { candidates } = start;
  const { evaluator } = start.question;
  const best = rankedOver(of, candidates.all()).find(isNoLine);
  if (best === undefined || best.fit.missBits === 0) return;
  const { hypotheses } = best;
  for (const other of hypothesesOf(start).filter(({ axis }) => !has(hypotheses, axis))) {
    if (evaluator.work > maxWork) return;
    const supposed = [...hypotheses, other];
    if (!isCostly(start, supposed)) candidates.consider(supposed);
  }
}

const leftOutWork = 1e7;

function isLeavingOutCutShort(start: Start, given: Combination, maxWork: number): boolean {
  const { candidates } = start;
  const { evaluator, own } = start.question;
  const most = Math.min(maxWork, evaluator.work + leftOutWork);
  // One number, or few bits, cannot show what is left out.
  if (candidates.own.fit.misses.length < 2) return false;
  const all = leftOutOf({ ...candidates.own, scenario: scenarioUnder(own, given) });
  if (all.length === 0 || candidates.beats(all[0]!.bits + Math.log2(all.length))) return false;
  for (const one of all) {
    if (evaluator.work > most || isCostly(start, given)) return true;
    candidates.consider([...given, one]);
  }
  return false;
}

/** Replaces each part in turn: the search may end before an equal has had its turn. */
function considerInPlaceOf(part: Hypothesis, { hypotheses }: Candidate, start: Start): void {
  const { candidates } = start;
  const isFree = ({ axis }: Hypothesis): boolean =>
    hypotheses.every((h) => h === part || h.axis !== axis);
  const others = isScale(part) ? unitScales : hypothesesOf(start);
  const { kind } = start.question.target;
  for (const other of others.filter((h) => h.kinds.includes(kind) && isFree(h))) {
    const supposed = hypotheses.map((h) => (h === part ? other : h));
    if (hypotheses.length === 1 || !isCostly(start, supposed)) candidates.consider(supposed);
  }
}

export const scenarioUnder = (own: Scenario, hypotheses: readonly Hypothesis[]): Scenario =>
  hypotheses.reduce((scenario, { set }) => patched(scenario, set), own);

export interface SharedConventions {
  readonly name: string;
  readonly parts: readonly Hypothesis[];
}

function bearing(own: Candidate, parts: readonly Hypothesis[]): Hypothesis[] {
  if (parts.length === 0) return [];
  const text = (supposed: readonly Hypothesis[]): string => {
    const scenario = scenarioUnder(own.scenario, supposed);
    const { columns, items } = own.evaluator.table(own.of.kind, scenario, false);
    return JSON.stringify([
      items,
      Object.values(columns).map((column) => [...column]),
      scenario.rounding,
    ]);
  };
  const whole = text(parts);
  return parts.filter((part) =>
    part.set.conventions?.stats?.interval === "bootstrap"
      ? own.of.hasEnds
      : isScale(part) || text(parts.filter((other) => other !== part)) !== whole,
  );
}

export interface Candidate {
  readonly hypotheses: readonly Hypothesis[];
  /** Null in the kind's own unit, where zero is real. */
  readonly unit: FittedUnit | null;
  readonly evaluator: Evaluator;
  readonly scenario: Scenario;
  /** Computed again if forgotten: all together take too much memory. */
  readonly table: () => Table;
  readonly isVague: boolean;
  readonly of: Target;
  readonly fit: TargetFit;
  readonly nameBits: number;
}

export const totalBits = ({ nameBits, fit }: Candidate): number => nameBits + fit.missBits;

export const candidateName = ({ hypotheses }: Pick<Candidate, "hypotheses">): string =>
  hypotheses.map(({ name }) => name).join(" ");

export const sizeOf = ({ hypotheses }: Candidate): number =>
  hypotheses.filter((h) => !isScale(h)).length;

function byPreference(a: Candidate, b: Candidate): number {
  const difference = totalBits(a) - totalBits(b);
  if (Math.abs(difference) > 1e-9) return difference;
  if (a.fit.spread !== b.fit.spread) return a.fit.spread - b.fit.spread;
  return candidateName(a) < candidateName(b) ? -1 : 1;
}

/** Closer explanations are alike: less is an artefact of counting bits. */
const alikeBits = 1;

function rivalsAmong(best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const names = new Set([candidateName(best)]);
  return candidates.filter((c) => {
    const isAlike =
      sizeOf(c) === sizeOf(best) || Math.abs(totalBits(c) - totalBits(best)) < alikeBits;
    const isVaguer = c.isVague && !best.isVague;
    if (!isAlike || isVaguer || missesOf(c.fit) > missesOf(best.fit) || names.has(candidateName(c)))
      return false;
    names.add(candidateName(c));
    return true;
  });
}

const certainBits = 100;

interface Candidates {
  readonly own: Candidate;
  consider(hypotheses: readonly Hypothesis[]): Candidate | null;
  all(): Candidate[];
  tried(): number;
  beats(bits: number): boolean;
  /** True once nothing of `minBits` can do better, or as well but by a chance of 2^-100. */
  isSettled(minBits: number): boolean;
}

export function createCandidates({ target, evaluator, own }: Question): Candidates {
  const { cells, kind } = target;
  const all: Candidate[] = [];
  const seen = new Set<string>();
  let leastBits = Infinity;
  const base = add([], own, ownInUnit(target, evaluator, own));
  const savedBits = (c: Candidate): number => totalBits(base) - totalBits(c);
  const beats = (bits: number): boolean => leastBits < bits;
  const isCertain = (c: Candidate): boolean =>
    c.fit.missBits === 0 && !c.isVague && isNoLine(c) && savedBits(c) > certainBits;
  return {
    own: base,
    consider,
    all: () => all.filter((c) => c !== base),
    tried: () => seen.size,
    beats,
    isSettled: (minBits) => beats(minBits) || all.some(isCertain),
  };

  function consider(supposed: readonly Hypothesis[]): Candidate | null {
    if (isSeen(supposed)) return null;
    const scenario = scenarioUnder(own, supposed);
    evaluator.work += cells.length;
    const shown = inUnit(target, evaluator, scenario, supposed, { withEnds: false });
    const isOpen = supposed.length === 0 && base.unit === null;
    const units = supposed.some(isScale) ? [] : unitHypotheses(target, shown.unit, isOpen);
    const hypotheses = [
      ...supposed.filter((h) => !isScale(h)),
      ...supposed.filter(isScale),
      ...units,
    ];
    const isNew =
      supposed.length > 0 ? units.length === 0 || !isSeen(hypotheses) : units.length > 0;
    return isNew ? add(hypotheses, scenario, shown) : null;
  }

  function isSeen(hypotheses: readonly Hypothesis[]): boolean {
    const key = JSON.stringify(hypotheses.map((h) => h.name).sort());
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  }

  function add(
    hypotheses: readonly Hypothesis[],
    bare: Scenario,
    { unit, scenario: quick }: ReturnType<typeof inUnit>,
  ): Candidate {
    const withEnds = needsEnds(quick);
    const fitted =
      withEnds && unit !== null
        ? inUnit(target, evaluator, bare, hypotheses, { as: unit })
        : { scenario: quick };
    const candidate = candidateOf(target, evaluator, hypotheses, { ...fitted, unit }, withEnds);
    all.push(candidate);
    leastBits = Math.min(leastBits, totalBits(candidate));
    return candidate;
  }

  /** Iterated and drawn interval ends are costly: only if most of the other numbers fit. */
  function needsEnds(scenario: Scenario): boolean {
    const isCostlyEnd =
      metricKind(kind).isIterative === true || scenario.conventions.stats.interval === "bootstrap";
    if (!target.hasEnds || !isCostlyEnd) return target.hasEnds;
    const quick = evaluator.table(kind, scenario, false);
    const model = modelOf(target, quick);
    const { misses } = fitOf(target, quick, scenario.rounding);
    const missed = misses.filter((i) => Number.isFinite(model[i])).length;
    const withoutEnds = cells.filter(({ field }) => !isOfInterval(kind, field)).length;
    return missed <= maxOutliers(withoutEnds);
  }
}

type Combination = readonly Hypothesis[];

interface Stage {
  readonly name: string;
  readonly minBits: number;
  readonly combinationsOf: (hypotheses: readonly Hypothesis[]) => readonly Combination[];
}

const singles: Stage = {
  name: "single conventions",
  minBits: 2,
  combinationsOf: (hypotheses) => hypotheses.map((one) => [one]),
};

const pairs: Stage = {
  name: "pairs of conventions",
  minBits: 5,
  combinationsOf: (hypotheses) => {
    const isRounded = (pair: Combination): number =>
      Number(pair.some((h) => whatIs(h) === "rounding"));
    const tried = conventionPairs(hypotheses).filter(isTried);
    return tried.sort((a, b) => isRounded(b) - isRounded(a));
  },
};

const isPairForm = ({ set, kinds }: Hypothesis): boolean =>
  set.form !== undefined && kinds.some((kind) => metricKind(kind).family === "pairwise");

/**
 * A form from comparisons is tried with other ratings, forms and ties, not with other scoring;
 * units and what concerns intervals alone, with everything.
 */
const isTried = (pair: Combination): boolean =>
  !pair.some((h) => isPairForm(h) && whatIs(h) !== "unit") ||
  pair.every((h) => isPairForm(h) || !["scoring", "unit"].includes(whatIs(h)));

const has = (combination: Combination, axis: string): boolean =>
  combination.some((h) => h.axis === axis);

const conventionPairs = (hypotheses: readonly Hypothesis[]): Combination[] =>
  hypotheses.flatMap((first, i) =>
    hypotheses
      .slice(i + 1)
      .filter(({ axis }) => axis !== first.axis)
      .map((second) => [first, second]),
  );

interface Start {
  readonly question: Question;
  readonly candidates: Candidates;
  readonly given: readonly Hypothesis[];
  readonly differing: ReadonlySet<string>;
  readonly withGiven: (combination: Combination) => Combination;
}

function startFrom(question: Question, given: Combination, candidates: Candidates): Start {
  const withGiven = (combination: Combination): Combination => [
    ...given.filter((g) => combination.every((h) => h.axis !== g.axis)),
    ...combination,
  ];
  const { fit } = candidates.consider(given) ?? candidates.own;
  const misses = [...candidates.own.fit.misses, ...fit.misses];
  const differing = new Set(misses.map((i) => question.target.cells[i]?.field ?? ""));
  return { question, candidates, given, differing, withGiven };
}

const hypothesesOf = cached((start: Start): readonly Hypothesis[] => {
  const { target, evaluator, own } = start.question;
  const { kind, group, isRounded } = target;
  return hypothesesFor(
    kind,
    scenarioUnder(own, start.given),
    { ratings: evaluator.ratings, ...group, shown: shownIn(target) },
    isRounded,
  ).filter((hypothesis) => isUsable(start, hypothesis));
});

/** One on intervals alone, or two of different axes. */
const ofIntervals = cached((start: Start): readonly Combination[] => {
  const { kind, cells } = start.question.target;
  const published = new Set(cells.map(({ field }) => field));
  const ofEnds = hypothesesOf(start).filter(({ fields }) =>
    fields?.every((field) => !published.has(field) || isOfInterval(kind, field)),
  );
  return [...ofEnds.map((one) => [one]), ...conventionPairs(ofEnds)];
});

export const shownIn = ({ kind, cells }: Target): ShownNumbers =>
  new Map(
    cells
      .filter(({ field }) => field === mainField(kind))
      .map(({ item, published }) => [item, published.value]),
  );

const minNamed = 0.8;

function isUsable({ question, differing }: Start, hypothesis: Hypothesis): boolean {
  const { target, evaluator } = question;
  const {
    fields,
    set: { population },
  } = hypothesis;
  if (fields?.some((field) => differing.has(field)) === false) return false;
  if (population?.item === undefined) return true;
  const names = new Set(itemsOf(evaluator.ratings, population.item).names);
  const published = new Set(target.cells.map((cell) => cell.item));
  return [...published].filter((item) => names.has(item)).length >= minNamed * published.size;
}

function isCutShort(start: Start, { minBits, combinationsOf }: Stage, maxWork: number): boolean {
  const { candidates, question } = start;
  if (candidates.isSettled(minBits)) return false;
  for (const combination of combinationsOf(hypothesesOf(start))) {
    if (candidates.beats(minBits)) return false;
    if (question.evaluator.work > maxWork) return true;
    const supposed = start.withGiven(combination);
    const isAlone = combination.length < 2;
    if (isAlone || !isCostly(start, supposed)) consider(start, supposed);
  }
  return false;
}

const costlyWork = 1e6;

/** Rater quality of many ratings, or fits repeated after every session. */
function isCostly({ question: { evaluator, own } }: Start, supposed: Combination): boolean {
  const { bayesian_elo } = scenarioUnder(own, supposed).conventions;
  const isRepeated = bayesian_elo.rater_quality !== null || bayesian_elo.start === "warm";
  return evaluator.qualityWork > costlyWork && isRepeated;
}

function consider(start: Start, supposed: Combination): void {
  const { candidates } = start;
  const candidate = candidates.consider(supposed);
  if (candidate === null || !missesOnlyEnds(candidate)) return;
  const inOrder = hypothesesOf(start);
  for (const more of ofIntervals(start)) {
    if (supposed.some((h) => whatIs(h) !== "names" && has(more, h.axis))) continue;
    const combined = [...supposed.filter((h) => !has(more, h.axis)), ...more];
    combined.sort((a, b) => inOrder.indexOf(a) - inOrder.indexOf(b));
    candidates.consider(combined);
  }
}

function missesOnlyEnds({ of: { kind, cells }, fit, unit }: Candidate): boolean {
  const { misses, unpublished } = fit;
  const isEnd = (cell: number): boolean => isOfInterval(kind, cells[cell]?.field ?? "");
  const others = misses.filter((i) => !isEnd(i)).length;
  const allowed = unit === null ? 0 : maxOutliers(unit.off.length);
  return misses.length > others && unpublished.length === 0 && others <= allowed;
}
