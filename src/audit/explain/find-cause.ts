/** The cause of one result that differs: an explanation, or else the smallest change of items. */
import { isOfInterval, mainField, type Conventions, type Kind } from "../../metrics/index.js";
import { listed } from "../../platform/index.js";
import { maxOutliers, missesOf, modelOf, type Target } from "../compare/target.js";
import { type ComparedNumber, isApart, type GroupKey, type Reason } from "../result.js";
import { ownScenario } from "../recompute/scenario.js";
import type { Evaluator } from "../recompute/evaluator.js";
import { acceptedDraws, type Hypothesis } from "../recompute/hypotheses.js";
import {
  candidateName,
  candidateOf,
  search,
  type SearchLimits,
  sizeOf,
  totalBits,
  type Candidate,
  type SearchResult,
  type SharedConventions,
} from "./search.js";
import { isScale, isTooFew, medianOf, sure } from "../compare/unit.js";
import { isShared, shownBits, weigh, type EvidenceBits } from "./weigh.js";
import { tooFew } from "../compare/compare.js";
import { contradictedBy, liesAmong } from "./options.js";
import {
  findRepair,
  renamedItems,
  renamedText,
  withNames,
  type Renamed,
  type Repair,
} from "./repair-items.js";
import type { Tolerances } from "../compare/tolerances.js";
import { acceptedFor, isAbout, type Acceptance } from "./names.js";
import { areIntervalsOpen, openIntervals, valuesOnly } from "./open-intervals.js";

export interface OpenResult {
  readonly target: Target;
  readonly numbers: readonly ComparedNumber[];
  /** Why a difference proves nothing: ratings are in quarantine. */
  readonly doubt?: string | undefined;
}

/** What explains a result, or comes nearest to it. */
export interface Cause extends Omit<GroupKey, "experiment_name" | "published_in"> {
  readonly explanation: Explanation | null;
  readonly accepted: Acceptance | null;
  readonly nearest: Nearest | null;
  readonly smallest_difference: Repair | null;
  readonly renamed: readonly Renamed[];
  readonly stated: readonly string[];
  readonly tried: number;
  readonly untried: readonly string[];
}

interface NumberCounts {
  readonly of: number;
  /** Under the run's conventions, items not published included. */
  readonly differing: number;
  readonly matched: number;
}

export interface NamedCause {
  readonly name: string;
  readonly says: string;
  readonly bits: EvidenceBits;
  readonly unstated: string;
  /**
   * Items with numbers that follow only without it: wrong, as a result has one set of conventions.
   */
  readonly mixed: readonly string[];
  readonly contradicts: readonly string[];
  readonly rivals: readonly string[];
}

export interface Explanation extends NamedCause, NumberCounts {
  readonly reproduced: number;
}

/** The best candidate that fails, and how far its main numbers are, in its unit. */
export interface Nearest extends NumberCounts {
  readonly name: string;
  /** In words; empty for the run's own conventions. */
  readonly says: string;
  readonly items: number;
  readonly following: number;
  /** At most 3. */
  readonly largest: readonly { readonly item: string; readonly difference: number }[];
  /** Why no item is named. */
  readonly unnamed: string;
}

export interface FoundCause {
  readonly places: readonly [OpenResult, ...OpenResult[]];
  readonly cause: Cause;
  /** No number that differs is known to be wrong. */
  readonly isOpen: boolean;
  readonly numbers: readonly ComparedNumber[];
}

export interface CauseSettings {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly limits: SearchLimits;
  readonly accept: readonly Acceptance[];
}

export function findCause(
  places: FoundCause["places"],
  evaluator: Evaluator,
  { conventions, limits, accept }: CauseSettings,
  shared: SharedConventions | null = null,
  hear: (searched: SearchResult) => void = () => undefined,
): FoundCause {
  const [{ target, doubt }] = places;
  const { group, kind } = target;
  const { experiment_id, dimension, source } = group;
  const own = ownScenario(conventions, dimension, source);
  const known = withAccepted(shared, accept, group, kind);
  const isAccepted = (unstated: string): boolean =>
    acceptedFor(accept, group, { unstated, rivals: [] }) !== null;
  const question = { target, evaluator, own, limits, known, isAccepted };
  const searched = search(question);
  hear(searched);
  const asPublished = explain(searched);
  const renamed = renamedItems(asPublished.result.own.of, asPublished.candidate.table());
  const all = renamed.length === 0 ? target : withNames(target, renamed);
  const asRenamed = all === target ? asPublished : explain(search({ ...question, target: all }));
  const explained = asRenamed.explanation === null ? asPublished : asRenamed;
  const { explanation, candidate, result } = explained;
  const accepted = explanation && acceptedFor(accept, group, explanation);
  const reason = explanation && { ...explanation, isAccepted: accepted !== null };
  const shown = shownBy(explained, explained === asPublished ? target : all);
  const numbers = places.map((place) =>
    place.numbers.map((number, cell) => told(number, cell, shown, reason, renamed)),
  );
  const [first = []] = numbers;
  const isWrong = (number: ComparedNumber): boolean => isApart(number) && number.open === undefined;
  const cause: Cause = {
    experiment_id,
    kind,
    dimension,
    source,
    explanation: explanation && withCounts(explanation, first, renamed),
    accepted,
    nearest: explanation === null ? nearestOf(result, candidate) : null,
    smallest_difference: shown.repair,
    renamed,
    stated: result.stated.map((h) => h.name),
    tried: result.tried,
    untried: result.untried,
  };
  const isOpen = explanation === null && !first.some(isWrong);
  const isSettled = explanation?.unstated === "" && accepted === null && doubt === undefined;
  const lies = places.flatMap(({ target: { group } }) =>
    isSettled ? liesAmong(group, explanation.contradicts, explanation.name) : [],
  );
  return { places, cause, isOpen, numbers: [...numbers.flat(), ...lies] };
}

function withCounts(
  { rivals, ...named }: NamedCause,
  all: readonly ComparedNumber[],
  renamed: readonly Renamed[],
): Explanation {
  const numbers = all.filter(({ item }) => proposedFor(item, renamed).length === 0);
  const published = numbers.filter((number) => number.published !== null);
  const differing = numbers.filter(isApart);
  const isGiven = ({ cause }: ComparedNumber): boolean => cause?.isReproduced === true;
  return {
    ...named,
    reproduced: published.filter(isGiven).length,
    of: published.length,
    differing: differing.length,
    matched: differing.filter(isGiven).length,
    rivals,
  };
}

function shownBy({ explanation, candidate, result, areIntervalsOpen }: Explained, target: Target) {
  const { own } = result;
  const { evaluator } = own;
  const { kind, group, cells, hasEnds } = target;
  const basis = explanation === null ? own : candidate;
  const basedOn = candidateOf(target, evaluator, basis.hypotheses, basis);
  const { misses, unpublished } = basedOn.fit;
  const differing = misses.filter((i) => !isOfInterval(kind, cells[i]!.field));
  const wrong = new Set(differing.map((i) => cells[i]!.item));
  const intervals = areIntervalsOpen ? openIntervals(basedOn, wrong) : null;
  const isGiven = explanation !== null || (intervals !== null && differing.length === 0);
  const found = isGiven ? null : findRepair(candidateOf(own.of, evaluator, [], own));
  const { gives = null, ...repair } = found ?? {};
  const given = explanation === null ? gives : basedOn.table();
  const inUnit = explanation === null ? boardUnitOf(result) : candidate;
  const { forms, relative, rescaled } = inUnit?.scenario ?? own.scenario;
  const ownTable =
    inUnit && evaluator.table(kind, { ...own.scenario, forms, relative, rescaled }, hasEnds);
  return {
    kind,
    isPartial: group.isPartial,
    ownModel: ownTable && modelOf(target, ownTable),
    model: given && modelOf(target, given),
    fewIn: explanation === null ? fewIn(result) : null,
    intervals,
    repair: found && (repair as Repair),
    missed: new Set(misses),
    unpublished: new Set(unpublished),
  };
}

const proposedFor = (item: string, renamed: readonly Renamed[]): Renamed[] =>
  renamed.filter((one) => one.published === item || one.recomputed === item);

function told(
  compared: ComparedNumber,
  cell: number,
  shown: ReturnType<typeof shownBy>,
  reason: Omit<Reason, "isReproduced"> | null,
  renamed: readonly Renamed[],
): ComparedNumber {
  const { kind, isPartial, ownModel, model, fewIn, intervals, missed, unpublished } = shown;
  const { item, field, published } = compared;
  const recomputed = ownModel?.[cell] ?? NaN;
  const number =
    isApart(compared) && Number.isFinite(recomputed)
      ? { ...compared, recomputed, difference: published! - recomputed }
      : compared;
  const proposed = proposedFor(item, renamed);
  if (proposed.length > 0) return { ...number, note: renamedText(proposed), cause: null };
  if (fewIn?.has(cell) === true && isApart(number)) return { ...number, cause: null, open: tooFew };
  if (intervals !== null && isOfInterval(kind, field)) {
    const like = intervals.outliers.has(cell) ? " like those of the others" : "";
    const why = `no formula gives it, and no draws${like}`;
    return intervals.cells.has(cell)
      ? { ...number, cause: null, open: intervals.says }
      : { ...number, cause: null, note: number.note ?? why };
  }
  const isReproduced =
    published === null ? !isPartial && !unpublished.has(item) : !missed.has(cell);
  const judged = { ...number, cause: reason && { ...reason, isReproduced } };
  const value = model?.[cell] ?? NaN;
  const isAsPublished = !isApart(number) && (reason === null || isReproduced);
  if (isAsPublished || !Number.isFinite(value)) return judged;
  return { ...judged, under_explanation: value, remaining: published! - value };
}

function withAccepted(
  shared: SharedConventions | null,
  accept: readonly Acceptance[],
  of: GroupKey,
  kind: Kind,
): SharedConventions | null {
  const [drawn] = accept.flatMap((entry) =>
    isAbout(entry, of) ? (acceptedDraws(kind, entry.convention) ?? []) : [],
  );
  if (drawn === undefined) return shared;
  const others = (shared?.parts ?? []).filter(({ axis }) => axis !== drawn.axis);
  return { name: shared?.name ?? drawn.name, parts: [...others, drawn] };
}

/** What a search shows: of all numbers, or of those that are of no interval. */
interface Explained {
  readonly result: SearchResult;
  /** Null if nothing is shown. */
  readonly explanation: NamedCause | null;
  readonly candidate: Candidate;
  /** No formula gives them, and nobody states how they were computed. */
  readonly areIntervalsOpen: boolean;
}

/** Of all numbers, else of those that are of no interval; then with something left out. */
export function explain(conventions: SearchResult): Explained {
  const first = explainedWithin(conventions);
  return first.explanation === null ? explainedWithin(conventions.leavingOut()) : first;
}

function explainedWithin(result: SearchResult): Explained {
  const found = explanationOf(result);
  const whole = result.own.of;
  if (found.explanation === null && whole.hasEnds) {
    const ofValues = explanationOf(result.over(valuesOnly(whole)));
    const areOpen = areIntervalsOpen(result);
    if (ofValues.explanation !== null || areOpen) return { ...ofValues, areIntervalsOpen: areOpen };
  }
  return found;
}

/** The best that is shown: without a part that is not, the rest may be. */
export function explanationOf(result: SearchResult): Explained {
  const { own, candidates } = result;
  const [best] = candidates;
  const isPartOfBest = (c: Candidate): boolean =>
    c === best ||
    isAllShared(result, c) ||
    isAsserted(result, c) ||
    c.hypotheses.every(({ name }) => best!.hypotheses.some((h) => h.name === name));
  const explained = { result, areIntervalsOpen: false };
  for (const candidate of candidates.filter(isPartOfBest)) {
    const explanation = supported(result, candidate);
    if (explanation !== null) return { ...explained, explanation, candidate };
  }
  const cost = (c: Candidate): number => totalBits(c) + 4 * sizeOf(c);
  const nearest = candidates.reduce((near, c) => (cost(c) < cost(near) ? c : near), own);
  return { ...explained, explanation: null, candidate: nearest };
}

function supported(result: SearchResult, candidate: Candidate): NamedCause | null {
  const isStray = strayMisses(candidate) > maxOutliers(missesOf(result.own.fit));
  const shown = isStray ? null : shownBits(result, candidate);
  const bits = isAsserted(result, candidate) ? weigh(result, candidate) : shown;
  if (bits === null) return null;
  const unstated = unstatedOf(result, candidate);
  return {
    name: candidateName(candidate),
    says: `${saysOf(result, candidate)}${reachIn(candidate)}`,
    bits,
    unstated,
    mixed: mixedIn(result, candidate),
    contradicts: contradictedBy(candidate, result.stated),
    rivals: unstated === "" ? [] : result.rivalsOf(candidate).map(candidateName),
  };
}

/** Of ratings, any minority may be wrong: their other numbers follow them. */
function strayMisses({ of: { kind, cells }, unit, fit }: Candidate): number {
  const wrong = new Set(
    fit.misses.flatMap((i) => (cells[i]!.field === mainField(kind) ? [cells[i]!.item] : [])),
  );
  const isStray = (i: number): boolean => unit === null || !wrong.has(cells[i]!.item);
  return fit.misses.filter(isStray).length + fit.unpublished.length;
}

function reachIn({ table }: Candidate): string {
  const { stopped } = table();
  const most = Math.max(...(stopped?.reach ?? []));
  return stopped === undefined
    ? ""
    : `; compared within its reach, at most ± ${Number(most.toPrecision(2))}`;
}

function mixedIn({ own }: SearchResult, { fit: { misses } }: Candidate): string[] {
  const ownMisses = new Set(own.fit.misses);
  const wrong = misses.filter((i) => !ownMisses.has(i));
  return [...new Set(wrong.map((i) => own.of.cells[i]!.item))];
}

const unstatedIn = ({ stated }: SearchResult, { hypotheses }: Candidate): Hypothesis[] =>
  hypotheses.filter((h) => stated.every(({ name }) => name !== h.name));

const unstatedOf = (result: SearchResult, candidate: Candidate): string =>
  candidateName({ hypotheses: unstatedIn(result, candidate) });

/** Stated or accepted, it gives most numbers that differ, and misses none of the others. */
function isAsserted(result: SearchResult, candidate: Candidate): boolean {
  const unstated = unstatedOf(result, candidate);
  if (candidate.hypotheses.length === 0 || (unstated !== "" && !result.isAccepted(unstated)))
    return false;
  const isMore = 2 * matchedBy(candidate, result) > missesOf(result.own.fit);
  return isMore && mixedIn(result, candidate).length === 0;
}

const isAllShared = (result: SearchResult, { hypotheses }: Candidate): boolean =>
  result.shared !== null && hypotheses.length > 0 && hypotheses.every((h) => isShared(result, h));

function matchedBy({ fit }: Candidate, { own }: SearchResult): number {
  const missed = new Set(fit.misses);
  const unpublished = new Set(fit.unpublished);
  const { misses, unpublished: items } = own.fit;
  return (
    misses.filter((i) => !missed.has(i)).length +
    items.filter((item) => !unpublished.has(item)).length
  );
}

function saysOf(result: SearchResult, candidate: Candidate): string {
  const open = unstatedIn(result, candidate);
  const rest = open.map(({ says }) => says);
  const named = candidate.hypotheses.filter((h) => !open.includes(h)).map(({ says }) => says);
  const as = ["", ", as", ", both as"][named.length] ?? ", all as";
  const asStated = named.length === 0 ? [] : [`${listed(named)}${as} the published options state`];
  return [...(rest.length === 0 ? [] : [listed(rest)]), ...asStated].join("; and ");
}

const unitAloneIn = ({ candidates }: SearchResult): Candidate | undefined =>
  candidates.find(({ unit, hypotheses }) => unit !== null && hypotheses.every(isScale));

/** The numbers that may follow in another unit, which so few do not show. */
export function fewIn(result: SearchResult): ReadonlySet<number> | null {
  const shown = unitAloneIn(result);
  if (!shown?.unit || !isTooFew(shown.unit)) return null;
  const missed = new Set(shown.fit.misses);
  return new Set([...shown.of.cells.keys()].filter((i) => !missed.has(i)));
}

/** Of the differences: ratings in no unit are far from any board. */
const unitsShare = 0.9;

/** The unit that a board has even if nothing explains its numbers. */
function boardUnitOf(result: SearchResult): Candidate | null {
  const shown = unitAloneIn(result);
  if (shown === undefined) return null;
  const { of, table } = result.own;
  const model = modelOf(of, table());
  const far = of.cells
    .map(({ published: { value } }, i) => Math.abs(value - model[i]!))
    .filter((by, i) => of.cells[i]!.field === mainField(of.kind) && Number.isFinite(by));
  const left = medianOf(shown.unit!.off.map(Math.abs));
  return left <= (1 - unitsShare) * medianOf(far) ? shown : null;
}

const mostShown = 3;

const fewestNamed = 4;

const worthNaming = 0.5;

function nearestOf(result: SearchResult, best: Candidate): Nearest | null {
  const { own } = result;
  const differing = missesOf(own.fit);
  if (differing === 0) return null;
  const isNear = best !== own && matchedBy(best, result) >= worthNaming * differing;
  const candidate = isNear ? best : (unitAloneIn(result) ?? own);
  const { cells, kind } = candidate.of;
  const { misses } = candidate.fit;
  const model = modelOf(candidate.of, candidate.table());
  const mains = [...cells.keys()].filter((i) => cells[i]!.field === mainField(kind));
  const off = mains
    .filter((i) => misses.includes(i))
    .map((i) => ({ item: cells[i]!.item, difference: cells[i]!.published.value - model[i]! }))
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const [items, wrong] = [mains.length, off.length];
  const unnamed = [
    items < fewestNamed && "there are too few numbers",
    wrong > Math.max(1, (items - 1) / 2) && "more than half differ",
    (candidate.unit?.chance ?? sure) > sure && "the decimals are too coarse to tell the unit",
  ].find((why) => why !== false);
  return {
    name: candidate === own ? "own" : candidateName(candidate),
    of: cells.length,
    differing,
    matched: matchedBy(candidate, result),
    says: listed(candidate.hypotheses.map(({ says }) => says)),
    items,
    following: items - wrong,
    largest: off.slice(0, mostShown),
    unnamed: unnamed ?? "the differences scatter like noise",
  };
}
