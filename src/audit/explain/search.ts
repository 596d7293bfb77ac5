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
  // Explained alone, it needs nothing that other results show, and may be their rival.
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

/** Published fractions (none above 1, some recomputed ones are): all else is tried on top. */
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

function considerWithout(part: Hypothesis, own: Scenario, candidates: Candidates): void {
  const [best] = candidates.ranked();
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

const scenarioUnder = (own: Scenario, hypotheses: readonly Hypothesis[]): Scenario =>
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

export interface Candidate {
  /** The level of the ratings last. */
  readonly hypotheses: readonly Hypothesis[];
  readonly scenario: Scenario;
  readonly table: Table;
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

/** Whether the numbers hold only within random draws, or the reach of an iteration. */
const isVague = ({ table: { noise, stopped } }: Candidate): boolean =>
  noise !== undefined || stopped !== undefined;

/** Explanations closer than this are alike: less is an artefact of counting bits. */
const alikeBits = 1;

/** Those that give as many numbers as `best`, with as many or as costly assumptions. */
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

/** Saved bits beyond which a complete explanation ends the search. */
const certainBits = 100;

interface Candidates {
  readonly own: Candidate;
  consider(hypotheses: readonly Hypothesis[], scenario: Scenario): Candidate | null;
  /** All but the run's conventions, best first. */
  ranked(): Candidate[];
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

  /** Iterated and drawn interval ends are costly: only if most of the other numbers fit. */
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

/** False: no `differing` field changes, too few items named, or reference not published so. */
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
