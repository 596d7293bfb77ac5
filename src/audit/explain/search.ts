/** The search for the conventions that reproduce the published numbers of one result. */
import { isOfInterval, mainField, metricKind, type Table } from "../../metrics/index.js";
import { patched, type Scenario } from "../evaluate/scenario.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { itemsOf } from "../ratings/rating-columns.js";
import { defaultLimits, type SearchLimits } from "../settings.js";
import { fitOf, maxOutliers, missesOf, modelOf, type Target, type TargetFit } from "../target.js";
import {
  hypothesesFor,
  scorings,
  statedIn,
  type Hypothesis,
  type ShownNumbers,
} from "./hypotheses.js";
import { leftOutOf } from "./left-out.js";
import { hasLevel, isLevel, levelsIn } from "./levels.js";

export interface SearchResult {
  readonly evaluator: Evaluator;
  readonly own: Candidate;
  /** All others, best first. */
  readonly candidates: readonly Candidate[];
  readonly stated: readonly Hypothesis[];
  readonly shared: SharedConventions | null;
  readonly tried: number;
  readonly untried: readonly string[];
  /** Candidates that the numbers do not distinguish from one, best first. */
  readonly rivalsOf: (candidate: Candidate) => Candidate[];
  /** The same with a rater, a session or the last sessions left out. */
  readonly leavingOut: () => SearchResult;
  /** The same over some of the numbers. */
  readonly over: (some: Target) => SearchResult;
}

/**
 * Simplest first, starting from stated conventions, then those `found` in other results, then own.
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
  const evident = evidentIn(target, candidates.own, differing);
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
  // Explained alone, it needs nothing that other results show, and may be their rival.
  const alone = from.at(-1)!;
  if (others.length > 0) tryStage(alone, singlesOf(alone.hypotheses));
  for (const start of from)
    for (const stage of stagesOf(start.hypotheses, hasLevel(target.kind))) tryStage(start, stage);
  for (const part of others) considerWithout(part, own, alone);
  considerOneMore(alone, own, maxWork, target);
  const resultOver = (of: Target): SearchResult => {
    if (of !== target) considerOneMore(alone, own, maxWork, of);
    const ranked = (): Candidate[] => rankedOver(of, candidates.all());
    return {
      evaluator,
      own: refitted(candidates.own, of),
      candidates: ranked(),
      stated,
      shared,
      tried: candidates.tried(),
      untried: [...untried],
      rivalsOf: (candidate) => {
        const open = candidate.hypotheses.filter(
          (part) => !isLevel(part) && stated.every((h) => h.name !== part.name),
        );
        for (const part of open) considerInPlaceOf(part, candidate, own, alone);
        return rivalsAmong(candidate, ranked());
      },
      leavingOut: () => {
        if (isLeavingOutCutShort(from[0]!, maxWork)) untried.add("one rater or session left out");
        return resultOver(of);
      },
      over: resultOver,
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

const refitted = (candidate: Candidate, of: Target): Candidate =>
  candidate.of === of
    ? candidate
    : { ...candidate, of, fit: fitOf(of, candidate.table(), candidate.scenario.rounding) };

/** Published fractions (none above 1, some recomputed ones are): all else is tried on top. */
function evidentIn(
  target: Target,
  { table }: Candidate,
  stated: readonly Hypothesis[],
): Hypothesis[] {
  const { kind } = target;
  const isShare = (value: number): boolean => Math.abs(value) <= 1;
  const shown = [...shownIn(target).values()];
  if (!shown.every(isShare) || table().columns[mainField(kind)]?.every(isShare) !== false)
    return [];
  const isFraction = ({ name, kinds }: Hypothesis): boolean =>
    name === "scale=fraction" && kinds.includes(kind);
  return stated.some(({ axis }) => axis === "scale") ? [] : scorings.filter(isFraction);
}

function considerOneMore(
  { evaluator, candidates, hypotheses: all }: Start,
  own: Scenario,
  maxWork: number,
  of: Target,
): void {
  const best = rankedOver(of, candidates.all()).find(({ scenario }) => scenario.rescaled === null);
  if (best === undefined || best.fit.missBits === 0) return;
  const { hypotheses } = best;
  for (const other of all.filter(({ axis }) => !has(hypotheses, axis))) {
    if (evaluator.work > maxWork) return;
    const supposed = [...hypotheses, other];
    const scenario = scenarioUnder(own, supposed);
    if (!isCostly(evaluator, scenario)) candidates.consider(supposed, scenario);
  }
}

const leftOutWork = 1e7;

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

function considerWithout(part: Hypothesis, own: Scenario, { target, candidates }: Start): void {
  const [best] = rankedOver(target, candidates.all());
  if (best?.hypotheses.includes(part) !== true) return;
  const rest = best.hypotheses.filter((h) => h !== part);
  candidates.consider(rest, scenarioUnder(own, rest));
}

/** Replaces each part in turn: as the search ends early, an equal may not have had its turn. */
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

export const scenarioUnder = (own: Scenario, hypotheses: readonly Hypothesis[]): Scenario =>
  hypotheses.reduce((scenario, { set }) => patched(scenario, set), own);

export interface SharedConventions {
  readonly name: string;
  /** At almost no bits each. */
  readonly parts: readonly Hypothesis[];
}

function bearing(
  target: Target,
  { evaluator, own }: Pick<SearchResult, "evaluator" | "own">,
  parts: readonly Hypothesis[],
): Hypothesis[] {
  const text = (supposed: readonly Hypothesis[]): string => {
    const scenario = scenarioUnder(own.scenario, supposed);
    const { columns, items } = evaluator.table(target.kind, scenario, false);
    return JSON.stringify([
      items,
      Object.values(columns).map((column) => [...column]),
      scenario.rounding,
    ]);
  };
  const whole = text(parts);
  return parts.filter((part) =>
    part.set.conventions?.stats?.interval === "bootstrap"
      ? target.hasEnds
      : text(parts.filter((other) => other !== part)) !== whole,
  );
}

export interface Candidate {
  /** The level of the ratings last. */
  readonly hypotheses: readonly Hypothesis[];
  readonly scenario: Scenario;
  /** Computed again if the evaluator has forgotten it: all together take too much memory. */
  readonly table: () => Table;
  readonly isVague: boolean;
  readonly of: Target;
  readonly fit: TargetFit;
  readonly nameBits: number;
}

/** Description length in bits: the names, and the numbers not reproduced. */
export const totalBits = ({ nameBits, fit }: Candidate): number => nameBits + fit.missBits;

export const candidateName = ({ hypotheses }: Pick<Candidate, "hypotheses">): string =>
  hypotheses.map(({ name }) => name).join(" ");

export const sizeOf = ({ hypotheses }: Candidate): number => hypotheses.length;

/** Simplest first, then closest, then by name. */
function byPreference(a: Candidate, b: Candidate): number {
  const difference = totalBits(a) - totalBits(b);
  if (Math.abs(difference) > 1e-9) return difference;
  if (a.fit.spread !== b.fit.spread) return a.fit.spread - b.fit.spread;
  return candidateName(a) < candidateName(b) ? -1 : 1;
}

/** Explanations closer than this are alike: less is an artefact of counting bits. */
const alikeBits = 1;

/** Those that give as many numbers as `best`, with as many or as costly assumptions. */
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

/** Saved bits beyond which a complete explanation ends the search. */
const certainBits = 100;

interface Candidates {
  readonly own: Candidate;
  consider(hypotheses: readonly Hypothesis[], scenario: Scenario): Candidate | null;
  /** All but the run's conventions. */
  all(): Candidate[];
  tried(): number;
  beats(bits: number): boolean;
  /** True once nothing of `minBits` can do better, or as well but by a chance of 2^-100. */
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
    !c.isVague &&
    c.scenario.rescaled === null &&
    savedBits(c) > certainBits;
  return {
    own: base,
    consider,
    all: () => all.filter((c) => c !== base),
    tried: () => seen.size,
    beats,
    isSettled: (minBits) => beats(minBits) || all.some(isCertain),
  };

  function consider(supposed: readonly Hypothesis[], scenario: Scenario): Candidate | null {
    const key = JSON.stringify(supposed.map((h) => h.name).sort());
    if (seen.has(key)) return null;
    seen.add(key);
    const nameBits = supposed.reduce((sum, part) => sum + part.bits, 0);
    const withEnds = needsEnds(scenario);
    const tableOf = (): Table => evaluator.table(kind, scenario, withEnds);
    const table = tableOf();
    evaluator.work += cells.length;
    const candidate: Candidate = {
      hypotheses: [...supposed.filter((h) => !isLevel(h)), ...supposed.filter(isLevel)],
      scenario,
      table: tableOf,
      isVague: table.noise !== undefined || table.stopped !== undefined,
      of: target,
      fit: fitOf(target, table, scenario.rounding),
      nameBits,
    };
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
  /** As a finding's `untried` names it. */
  readonly name: string;
  /** The fewest bits of a candidate: a cheaper one known ends the stage. */
  readonly minBits: number;
  /** The conventions alone, or with a usual level. */
  readonly tries: "conventions" | "levels";
  readonly combinations: readonly Combination[];
}

const singlesOf = (hypotheses: readonly Hypothesis[]): Stage => ({
  name: "single conventions",
  minBits: 2,
  tries: "conventions",
  combinations: hypotheses.map((one) => [one]),
});

function stagesOf(hypotheses: readonly Hypothesis[], isLevelled: boolean): Stage[] {
  const alone = singlesOf(hypotheses);
  const singles = alone.combinations;
  const pairs = conventionPairs(hypotheses);
  // Other labels are tried with every candidate; units and references have their own level.
  const isFree = (combination: Combination): boolean =>
    ["labels", "unit", "relative"].every((axis) => !has(combination, axis));
  const truncated = pairs.filter((pair) => has(pair, "rounding"));
  // A form from comparisons is tried with other ratings, forms and ties, not with other scoring;
  // units and what concerns intervals alone, with everything.
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

const conventionPairs = (hypotheses: readonly Hypothesis[]): Combination[] =>
  hypotheses.flatMap((first, i) =>
    hypotheses
      .slice(i + 1)
      .filter(({ axis }) => axis !== first.axis)
      .map((second) => [first, second]),
  );

interface Start {
  readonly target: Target;
  readonly evaluator: Evaluator;
  readonly candidates: Candidates;
  readonly given: readonly Hypothesis[];
  readonly hypotheses: readonly Hypothesis[];
  /** One on intervals alone, or two of different axes. */
  readonly ofIntervals: readonly Combination[];
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
    scenarioUnder(own, withGiven(combination));
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
  const ofIntervals = [...ofEnds.map((one) => [one]), ...conventionPairs(ofEnds)];
  return { target, evaluator, candidates, given, hypotheses, ofIntervals, withGiven, scenarioOf };
}

export const shownIn = ({ kind, cells }: Target): ShownNumbers =>
  new Map(
    cells
      .filter(({ field }) => field === mainField(kind))
      .map(({ item, published }) => [item, published.value]),
  );

/** Share of the published items that an item key must name. */
const minNamed = 0.8;

/** False: no `differing` field changes, or too few items named. */
function isUsable(
  { cells }: Target,
  evaluator: Evaluator,
  differing: ReadonlySet<string>,
  { fields, set: { population } }: Hypothesis,
): boolean {
  if (fields?.some((field) => differing.has(field)) === false) return false;
  if (population?.item === undefined) return true;
  const names = new Set(itemsOf(evaluator.ratings, population.item).names);
  const published = new Set(cells.map((cell) => cell.item));
  return [...published].filter((item) => names.has(item)).length >= minNamed * published.size;
}

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

/** Rater quality of many ratings, or fits repeated after every session. */
const isCostly = (
  { qualityWork }: Evaluator,
  { conventions: { bayesian_elo: own } }: Scenario,
): boolean => qualityWork > costlyWork && (own.rater_quality !== null || own.start === "warm");

/** What concerns intervals alone is tried once everything else matches. */
function consider(
  { target, candidates, hypotheses, ofIntervals }: Start,
  supposed: Combination,
  scenario: Scenario,
): void {
  const candidate = candidates.consider(supposed, scenario);
  if (candidate === null || !missesOnlyEnds(target, candidate)) return;
  for (const more of ofIntervals) {
    if (supposed.some(({ axis }) => axis !== "labels" && has(more, axis))) continue;
    const combined = [...supposed.filter((h) => !has(more, h.axis)), ...more];
    combined.sort((a, b) => hypotheses.indexOf(a) - hypotheses.indexOf(b));
    candidates.consider(combined, scenarioUnder(scenario, more));
  }
}

function missesOnlyEnds(
  { kind, cells }: Target,
  { fit: { misses, unpublished } }: Candidate,
): boolean {
  const isEnd = (cell: number): boolean => isOfInterval(kind, cells[cell]?.field ?? "");
  return misses.length > 0 && unpublished.length === 0 && misses.every(isEnd);
}
