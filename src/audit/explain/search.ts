/** The search for the conventions that reproduce the published numbers of one result. */
import { isOfInterval, mainField, metricKind, type Table } from "../../metrics/index.js";
import { patched, type Scenario } from "../evaluate/scenario.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { equalAt, unrounded } from "../published/precision.js";
import { itemsOf } from "../ratings/rating-columns.js";
import { defaultLimits, type SearchLimits } from "../settings.js";
import { fitOf, maxOutliers, modelOf, type Target, type TargetFit } from "../target.js";
import { hypothesesFor, statedIn, type Hypothesis, type ShownNumbers } from "./hypotheses.js";
import { leftOutOf } from "./left-out.js";
import { hasLevel, isLevel, levelsIn } from "./levels.js";

export interface SearchResult {
  readonly evaluator: Evaluator;
  /** The run's conventions. */
  readonly own: Candidate;
  /** All others, best first. */
  readonly candidates: readonly Candidate[];
  /** Conventions that the published options state. */
  readonly stated: readonly Hypothesis[];
  /** Conventions that other results of the project show. */
  readonly shared: SharedConventions | null;
  readonly tried: number;
  /** Stages that the work limit interrupted; empty if everything was tried. */
  readonly untried: readonly string[];
  /** Candidates that the published numbers do not distinguish from one, best first. */
  readonly rivalsOf: (candidate: Candidate) => Candidate[];
  /** The same with one rater, one session or the last sessions left out beside what is given. */
  readonly leavingOut: () => SearchResult;
}

/**
 * Searches for the conventions that reproduce the published numbers, simplest first: starting from
 * the conventions that the published options state, if any, then from those that other results of
 * the project show (`found`), then from the run's.
 */
export function search(
  target: Target,
  evaluator: Evaluator,
  own: Scenario,
  { work }: SearchLimits = defaultLimits,
  found: SharedConventions | null = null,
): SearchResult {
  const maxWork = evaluator.work + work;
  const candidates = createCandidates(target, evaluator, own);
  const stated = statedIn(target.kind, target.group.options);
  const differing = stated.filter(
    (h) => JSON.stringify(patched(own, h.set)) !== JSON.stringify(own),
  );
  const untried = new Set<string>();
  const parts =
    found === null ? [] : bearing(target, { evaluator, own: candidates.own }, found.parts);
  const shared = found === null || parts.length === 0 ? null : { ...found, parts };
  const evident = evidentIn(target, candidates.own, own, evaluator, differing);
  const base = [...differing, ...evident];
  const others = parts.filter(({ axis }) => base.every((h) => h.axis !== axis));
  const starts = [[...base, ...others], base, [...evident, ...others], evident];
  const distinct = new Map(starts.map((given) => [candidateName({ hypotheses: given }), given]));
  const from = [...distinct.values()].map((given) =>
    startFrom(target, evaluator, own, given, candidates),
  );
  const tryStage = (start: Start, stage: Stage): void => {
    if (isCutShort(start, stage, maxWork)) untried.add(stage.name);
  };
  // What one convention explains alone needs nothing that other results show, and may be its rival.
  const alone = from.at(-1)!;
  if (others.length > 0) tryStage(alone, singlesOf(alone.hypotheses));
  for (const start of from)
    for (const stage of stagesOf(start.hypotheses, hasLevel(target.kind))) tryStage(start, stage);
  for (const part of others) considerWithout(part, own, candidates);
  considerOneMore(alone, own, maxWork);
  const resultNow = (): SearchResult => ({
    evaluator,
    own: candidates.own,
    candidates: candidates.ranked(),
    stated,
    shared,
    tried: candidates.tried(),
    untried: [...untried],
    rivalsOf: (candidate) => {
      const open = candidate.hypotheses.filter(
        (part) => !isLevel(part) && stated.every((h) => h.name !== part.name),
      );
      for (const part of open) considerInPlaceOf(part, candidate, own, alone);
      return rivalsAmong(candidate, candidates.ranked());
    },
    leavingOut: () => {
      if (isLeavingOutCutShort(from[0]!, maxWork)) untried.add("one rater or session left out");
      return resultNow();
    },
  });
  return resultNow();
}

/**
 * Shares are fractions if none is more than 1 and some of the recomputed ones are: everything is
 * tried on top of that.
 */
function evidentIn(
  target: Target,
  { table }: Candidate,
  own: Scenario,
  { ratings }: Evaluator,
  stated: readonly Hypothesis[],
): Hypothesis[] {
  const { kind, group } = target;
  const isShare = (value: number): boolean => Math.abs(value) <= 1;
  const shown = [...shownIn(target).values()];
  if (!shown.every(isShare) || table.columns[mainField(kind)]?.every(isShare) !== false) return [];
  return hypothesesFor(kind, own, ratings, group.dimension, group.source).filter(
    ({ name, axis }) => name === "scale=fraction" && stated.every((h) => h.axis !== axis),
  );
}

/**
 * Tries the best candidate that misses numbers with each convention on top, also with those that no
 * stage combines with it.
 */
function considerOneMore(
  { evaluator, candidates, hypotheses: all }: Start,
  own: Scenario,
  maxWork: number,
): void {
  const best = candidates.ranked().find(({ scenario }) => scenario.rescaled === null);
  if (best === undefined || best.fit.missBits === 0) return;
  const { hypotheses } = best;
  for (const other of all.filter(({ axis }) => !has(hypotheses, axis))) {
    if (evaluator.work > maxWork) return;
    const supposed = [...hypotheses, other];
    const scenario = scenarioUnder(own, supposed);
    if (!isCostly(evaluator, scenario)) candidates.consider(supposed, scenario);
  }
}

/** Most work of leaving out raters and sessions for one result. */
const leftOutWork = 1e7;

/** Tries what may be left out; true if the work runs out before the last one. */
function isLeavingOutCutShort(start: Start, maxWork: number): boolean {
  const { target, evaluator, candidates, given } = start;
  const most = Math.min(maxWork, evaluator.work + leftOutWork);
  const scenario = start.scenarioOf([]);
  // One number, or few bits, cannot show what is left out.
  if (candidates.own.fit.misses.length < 2) return false;
  const all = leftOutOf(target, evaluator, scenario);
  if (all.length === 0 || candidates.beats(all[0]!.bits + Math.log2(all.length))) return false;
  for (const one of all) {
    if (evaluator.work > most || isCostly(evaluator, scenario)) return true;
    candidates.consider([...given, one], start.scenarioOf([one]));
  }
  return false;
}

/** Tries the best candidate without what other results show: that may be superfluous here. */
function considerWithout(part: Hypothesis, own: Scenario, candidates: Candidates): void {
  const [best] = candidates.ranked();
  if (best?.hypotheses.includes(part) !== true) return;
  const rest = best.hypotheses.filter((h) => h !== part);
  candidates.consider(rest, scenarioUnder(own, rest));
}

/**
 * Tries a candidate with each other convention in the place of one of its parts. A search ends with
 * what costs least, so one that gives the same numbers may not have had its turn.
 */
function considerInPlaceOf(
  part: Hypothesis,
  { hypotheses }: Candidate,
  own: Scenario,
  { evaluator, candidates, hypotheses: all }: Start,
): void {
  const isFree = ({ axis }: Hypothesis): boolean =>
    hypotheses.every((h) => h === part || h.axis !== axis);
  for (const other of all.filter(isFree)) {
    const supposed = hypotheses.map((h) => (h === part ? other : h));
    const scenario = scenarioUnder(own, supposed);
    if (hypotheses.length === 1 || !isCostly(evaluator, scenario))
      candidates.consider(supposed, scenario);
  }
}

const scenarioUnder = (own: Scenario, hypotheses: readonly Hypothesis[]): Scenario =>
  hypotheses.reduce((scenario, { set }) => patched(scenario, set), own);

/** Conventions that several results of a project show together, or that a person accepts. */
export interface SharedConventions {
  readonly name: string;
  /** At almost no bits each: they are paid for once. */
  readonly parts: readonly Hypothesis[];
}

/**
 * The parts of shared conventions that make a difference for a result; the others say nothing about
 * it.
 */
function bearing(
  target: Target,
  { evaluator, own }: Pick<SearchResult, "evaluator" | "own">,
  parts: readonly Hypothesis[],
): Hypothesis[] {
  const without = (part: Hypothesis) =>
    parts
      .filter((p) => p !== part)
      .reduce((scenario, { set }) => patched(scenario, set), own.scenario);
  const all = parts.reduce((scenario, { set }) => patched(scenario, set), own.scenario);
  const text = (scenario: typeof all): string => {
    const { columns, items } = evaluator.table(target.kind, scenario, false);
    return JSON.stringify([
      items,
      Object.values(columns).map((column) => [...column]),
      scenario.rounding,
    ]);
  };
  const whole = text(all);
  return parts.filter((part) =>
    part.set.conventions?.stats?.interval === "bootstrap"
      ? target.hasEnds
      : text(without(part)) !== whole,
  );
}

/** Conventions, and how the numbers under them compare with the published ones. */
export interface Candidate {
  /** The level of the ratings last. */
  readonly hypotheses: readonly Hypothesis[];
  readonly scenario: Scenario;
  readonly table: Table;
  readonly fit: TargetFit;
  /** Bits to name the conventions. */
  readonly nameBits: number;
}

/** Description length: naming the conventions, and listing the numbers that they do not reproduce. */
export const totalBits = ({ nameBits, fit }: Candidate): number => nameBits + fit.missBits;

export const candidateName = ({ hypotheses }: Pick<Candidate, "hypotheses">): string =>
  hypotheses.map(({ name }) => name).join(" ");

export const sizeOf = ({ hypotheses }: Candidate): number => hypotheses.length;

/** Simplest first, then the closest, then by name so that the order is always the same. */
function byPreference(a: Candidate, b: Candidate): number {
  const difference = totalBits(a) - totalBits(b);
  if (Math.abs(difference) > 1e-9) return difference;
  if (a.fit.spread !== b.fit.spread) return a.fit.spread - b.fit.spread;
  return candidateName(a) < candidateName(b) ? -1 : 1;
}

/** Whether a candidate gives its numbers only within random draws, or the reach of an iteration. */
const isVague = ({ table: { noise, stopped } }: Candidate): boolean =>
  noise !== undefined || stopped !== undefined;

/**
 * Bits by which an explanation must be shorter than another to be preferred: less is an artefact of
 * counting bits.
 */
const alikeBits = 1;

/**
 * Candidates that reproduce as many numbers as `best` with equally many assumptions, or assumptions
 * that cost the same. The published numbers cannot distinguish them.
 */
function rivalsAmong(best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const missed = (c: Candidate): number => c.fit.misses.length + c.fit.unpublished.length;
  const names = new Set([candidateName(best)]);
  return candidates.filter((c) => {
    const isAlike =
      sizeOf(c) === sizeOf(best) || Math.abs(totalBits(c) - totalBits(best)) < alikeBits;
    const isVaguer = isVague(c) && !isVague(best);
    if (!isAlike || isVaguer || missed(c) > missed(best) || names.has(candidateName(c)))
      return false;
    names.add(candidateName(c));
    return true;
  });
}

/** Saved bits beyond which the search ends with an explanation that reproduces everything. */
const certainBits = 100;

interface Candidates {
  /** The run's conventions. */
  readonly own: Candidate;
  /** Evaluates a candidate; null if it was evaluated before. */
  consider(hypotheses: readonly Hypothesis[], scenario: Scenario): Candidate | null;
  /** All but the run's conventions, best first. */
  ranked(): Candidate[];
  tried(): number;
  /** True once a candidate costs less than `bits`. */
  beats(bits: number): boolean;
  /**
   * True once nothing that costs `minBits` or more can do better, or as well except with a chance
   * of 2^-100.
   */
  isSettled(minBits: number): boolean;
}

export function createCandidates(target: Target, evaluator: Evaluator, own: Scenario): Candidates {
  const { cells, kind } = target;
  const all: Candidate[] = [];
  const seen = new Set<string>();
  let leastBits = Infinity;
  const base = consider([], own)!;
  const savedBits = (c: Candidate): number => totalBits(base) - totalBits(c);
  const beats = (bits: number): boolean => leastBits < bits;
  /** A line through the numbers may be a convention that comes near one. */
  const isCertain = (c: Candidate): boolean =>
    c.fit.missBits === 0 &&
    !isVague(c) &&
    c.scenario.rescaled === null &&
    savedBits(c) > certainBits;
  return {
    own: base,
    consider,
    ranked: () => all.filter((c) => c !== base).sort(byPreference),
    tried: () => seen.size,
    beats,
    isSettled: (minBits) => beats(minBits) || all.some(isCertain),
  };

  function consider(supposed: readonly Hypothesis[], scenario: Scenario): Candidate | null {
    const key = JSON.stringify(supposed.map((h) => h.name).sort());
    if (seen.has(key)) return null;
    seen.add(key);
    const nameBits = supposed.reduce((sum, part) => sum + part.bits, 0);
    const candidate: Candidate = {
      hypotheses: [...supposed.filter((h) => !isLevel(h)), ...supposed.filter(isLevel)],
      scenario,
      nameBits,
      ...tabled(scenario),
    };
    all.push(candidate);
    leastBits = Math.min(leastBits, totalBits(candidate));
    return candidate;
  }

  /**
   * Interval ends of an iterative kind, and drawn ones, cost the most: they are computed only if
   * most of the other numbers fit.
   */
  function tabled(scenario: Scenario): Pick<Candidate, "table" | "fit"> {
    const isCheap =
      metricKind(kind).isIterative !== true && scenario.conventions.stats.interval !== "bootstrap";
    const quick = evaluator.table(kind, scenario, isCheap && target.hasEnds);
    const fit = fitOf(target, quick, scenario.rounding);
    if (isCheap || !target.hasEnds) return { table: quick, fit };
    const model = modelOf(target, quick);
    const missed = fit.misses.filter((i) => Number.isFinite(model[i])).length;
    const withoutEnds = cells.filter(({ field }) => !isOfInterval(kind, field)).length;
    if (missed > maxOutliers(withoutEnds)) return { table: quick, fit };
    const table = evaluator.table(kind, scenario);
    return { table, fit: fitOf(target, table, scenario.rounding) };
  }
}

type Combination = readonly Hypothesis[];

/** One stage of the search: combinations of one size, tried one after the other. */
interface Stage {
  /** As a finding's `untried` names it. */
  readonly name: string;
  /**
   * The fewest bits that a candidate of the stage can cost: the stage ends once a cheaper one is
   * known.
   */
  readonly minBits: number;
  /** What is evaluated for each combination: the conventions alone, or with a usual level. */
  readonly tries: "conventions" | "levels";
  readonly combinations: readonly Combination[];
}

const singlesOf = (hypotheses: readonly Hypothesis[]): Stage => ({
  name: "single conventions",
  minBits: 2,
  tries: "conventions",
  combinations: hypotheses.map((one) => [one]),
});

/** The stages, from simple to complex. */
function stagesOf(hypotheses: readonly Hypothesis[], isLevelled: boolean): Stage[] {
  const alone = singlesOf(hypotheses);
  const singles = alone.combinations;
  const pairs = pairsOf(hypotheses);
  // Other labels are tried with every candidate; units and references have their own level.
  const isFree = (combination: Combination): boolean =>
    ["labels", "unit", "relative"].every((axis) => !has(combination, axis));
  const truncated = pairs.filter((pair) => has(pair, "rounding"));
  // A form of numbers from comparisons is tried of other ratings, of another form and with ties
  // counted otherwise; not of ratings scored otherwise. A unit is tried of everything, and so is
  // what concerns intervals alone.
  const isForm = ({ set, kinds }: Hypothesis): boolean =>
    set.form !== undefined && kinds.some((kind) => metricKind(kind).family === "pairwise");
  const isTried = (pair: Combination): boolean =>
    !pair.some((h) => isForm(h) && h.axis !== "unit") ||
    pair.every(
      (h) =>
        isForm(h) || h.axis === "ties" || h.set.population !== undefined || h.fields !== undefined,
    );
  const untruncated = pairs.filter((pair) => !has(pair, "rounding") && isTried(pair));
  const unconditional = [[], ...singles.filter((single) => has(single, "rounding"))];
  /** Ratings have a level beside all other conventions. */
  const levelled = (combinations: readonly Combination[]): readonly Combination[] =>
    isLevelled ? combinations.filter(isFree) : [];
  const stage = (
    name: string,
    minBits: number,
    tries: Stage["tries"],
    combinations: readonly Combination[],
  ): Stage => ({ name, minBits, tries, combinations });
  return [
    alone,
    stage("conventions with truncated numbers", 5, "conventions", truncated),
    stage("levels", 4, "levels", levelled(unconditional)),
    stage("pairs of conventions", 5, "conventions", untruncated),
    stage("levels under one convention", 7, "levels", levelled([...singles, ...truncated])),
    stage("levels under two conventions", 9, "levels", levelled(untruncated)),
  ];
}

const has = (combination: Combination, axis: string): boolean =>
  combination.some((h) => h.axis === axis);

/** Every two hypotheses of different axes. */
const pairsOf = (hypotheses: readonly Hypothesis[]): Combination[] =>
  hypotheses.flatMap((first, i) =>
    hypotheses
      .slice(i + 1)
      .filter(({ axis }) => axis !== first.axis)
      .map((second) => [first, second]),
  );

/** Where a search starts: the run's conventions, with others given on top of them. */
interface Start {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly candidates: Candidates;
  readonly given: readonly Hypothesis[];
  /** The conventions that may be tried on top. */
  readonly hypotheses: readonly Hypothesis[];
  /** What they say of intervals alone: one of them, or two of different axes. */
  readonly ofIntervals: readonly Combination[];
  /** A combination on top of what is given; a hypothesis replaces the given one of its axis. */
  readonly withGiven: (combination: Combination) => Combination;
  readonly scenarioOf: (combination: Combination) => Scenario;
}

function startFrom(
  target: Target,
  evaluator: Evaluator,
  own: Scenario,
  given: readonly Hypothesis[],
  candidates: Candidates,
): Start {
  const { kind, group, isRounded } = target;
  const withGiven = (combination: Combination): Combination => [
    ...given.filter((g) => combination.every((h) => h.axis !== g.axis)),
    ...combination,
  ];
  const scenarioOf = (combination: Combination): Scenario =>
    withGiven(combination).reduce((scenario, h) => patched(scenario, h.set), own);
  const base = scenarioOf([]);
  const { fit } = candidates.consider(given, base) ?? candidates.own;
  const misses = [...candidates.own.fit.misses, ...fit.misses];
  const differing = new Set(misses.map((i) => target.cells[i]?.field ?? ""));
  const hypotheses = hypothesesFor(
    kind,
    base,
    evaluator.ratings,
    group.dimension,
    group.source,
    isRounded,
    shownIn(target),
  ).filter((hypothesis) => isUsable(target, evaluator, differing, hypothesis));
  const published = new Set(target.cells.map(({ field }) => field));
  const ofEnds = hypotheses.filter(({ fields }) =>
    fields?.every((field) => !published.has(field) || isOfInterval(kind, field)),
  );
  const ofIntervals = [...ofEnds.map((one) => [one]), ...pairsOf(ofEnds)];
  return { target, evaluator, candidates, given, hypotheses, ofIntervals, withGiven, scenarioOf };
}

export const shownIn = ({ kind, cells }: Target): ShownNumbers =>
  new Map(
    cells
      .filter(({ field }) => field === mainField(kind))
      .map(({ item, published }) => [item, published.value]),
  );

/** Share of the published items that an item key must name for it to be tried. */
const minNamed = 0.8;

/**
 * False for what changes none of the `differing` fields, item keys that do not give the names of
 * most published items, and references not published as such.
 */
function isUsable(
  { kind, cells }: Target,
  evaluator: Evaluator,
  differing: ReadonlySet<string>,
  hypothesis: Hypothesis,
): boolean {
  const { fields, set } = hypothesis;
  const { population, relative } = set;
  if (fields?.some((field) => differing.has(field)) === false) return false;
  if (relative !== undefined) {
    const isReference = (item: string): boolean => relative.to === null || relative.to === item;
    return cells.some(
      ({ item, field, published: { value } }) =>
        field === mainField(kind) && equalAt(value, relative.shown, unrounded) && isReference(item),
    );
  }
  if (population?.item === undefined) return true;
  const names = new Set(itemsOf(evaluator.ratings, population.item).names);
  const published = new Set(cells.map((cell) => cell.item));
  return [...published].filter((item) => names.has(item)).length >= minNamed * published.size;
}

/** Tries the combinations of one stage; true if the work runs out before the last one. */
function isCutShort(
  start: Start,
  { minBits, tries, combinations }: Stage,
  maxWork: number,
): boolean {
  const { target, evaluator, candidates } = start;
  if (candidates.isSettled(minBits)) return false;
  for (const combination of combinations) {
    if (candidates.beats(minBits)) return false;
    if (evaluator.work > maxWork) return true;
    const scenario = start.scenarioOf(combination);
    if (combination.length > 1 && isCostly(evaluator, scenario)) continue;
    const supposed = start.withGiven(combination);
    if (tries === "conventions") consider(start, supposed, scenario);
    else
      for (const level of levelsIn(target, evaluator, scenario))
        consider(
          start,
          [...supposed.filter(({ axis }) => axis !== level.axis), level],
          patched(scenario, level.set),
        );
  }
  return false;
}

/** Work of one fit beyond which it is tried under no other convention. */
const costlyWork = 1e6;

/**
 * Whether a fit takes long: one of many ratings with rater quality, or one that is repeated after
 * every session.
 */
const isCostly = (
  { qualityWork }: Evaluator,
  { conventions: { bayesian_elo: own } }: Scenario,
): boolean => qualityWork > costlyWork && (own.rater_quality !== null || own.start === "warm");

/**
 * What concerns intervals alone changes no other number: it is tried once everything but the
 * intervals matches.
 */
function consider(
  { target, candidates, hypotheses, ofIntervals }: Start,
  supposed: Combination,
  scenario: Scenario,
): void {
  const candidate = candidates.consider(supposed, scenario);
  if (candidate === null || !missesOnlyEnds(target, candidate)) return;
  for (const more of ofIntervals) {
    // Another interval than the one that is supposed is a combination of its own.
    if (supposed.some(({ axis }) => axis !== "labels" && has(more, axis))) continue;
    const combined = [...supposed.filter((h) => !has(more, h.axis)), ...more];
    combined.sort((a, b) => hypotheses.indexOf(a) - hypotheses.indexOf(b));
    const all = more.reduce((own, { set }) => patched(own, set), scenario);
    candidates.consider(combined, all);
  }
}

function missesOnlyEnds(
  { kind, cells }: Target,
  { fit: { misses, unpublished } }: Candidate,
): boolean {
  const isEnd = (cell: number): boolean => isOfInterval(kind, cells[cell]?.field ?? "");
  return misses.length > 0 && unpublished.length === 0 && misses.every(isEnd);
}
