/** The cause of one result that differs: an explanation, or else the smallest change of items. */
import { isOfInterval, mainField, type Conventions, type Kind } from "../../metrics/index.js";
import { listed } from "../../platform/index.js";
import { maxOutliers, missesOf, modelOf, type Target } from "../compare/target.js";
import { type ComparedNumber, isApart, type GroupKey } from "../result.js";
import { ownScenario, type Scenario } from "../recompute/scenario.js";
import type { Evaluator } from "../recompute/evaluator.js";
import { acceptedDraws } from "../recompute/hypotheses.js";
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
import { isShared, shownBits } from "./weigh.js";
import { tooFew } from "../compare/coarse.js";
import { contradictedBy } from "./options.js";
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
import type { Cause, Explanation, Nearest } from "./cause.js";
import { areIntervalsOpen, openIntervals, valuesOnly } from "./open-intervals.js";

export interface OpenResult {
  readonly target: Target;
  readonly numbers: readonly ComparedNumber[];
  /** Why a difference proves nothing: ratings are in quarantine. */
  readonly doubt?: string | undefined;
}

export interface FoundCause {
  readonly cause: Cause;
  /** No number that differs is known to be wrong. */
  readonly isOpen: boolean;
  readonly tell: (number: ComparedNumber, at: number) => ComparedNumber;
}

export interface CauseSettings {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly limits: SearchLimits;
  readonly accept: readonly Acceptance[];
}

export function findCause(
  { target: whole, numbers }: OpenResult,
  evaluator: Evaluator,
  { conventions, limits, accept }: CauseSettings,
  shared: SharedConventions | null = null,
  hear: (searched: SearchResult) => void = () => undefined,
): FoundCause {
  const { group, kind } = whole;
  const { experiment_id, dimension, source } = group;
  const own = ownScenario(conventions, dimension, source);
  const known = withAccepted(shared, accept, group, kind);
  const question = { target: whole, evaluator, own, limits, known };
  const searched = search(question);
  hear(searched);
  const asPublished = explain(searched);
  const renamed = renamedItems(asPublished.result.own.of, asPublished.candidate.table());
  const asRenamed =
    renamed.length === 0
      ? asPublished
      : explain(search({ ...question, target: withNames(whole, renamed) }));
  const explained = asRenamed.explanation === null ? asPublished : asRenamed;
  const { explanation, nearest, candidate, fewIn } = explained;
  const { own: base, stated, tried, untried } = explained.result;
  const accepted = explanation && acceptedFor(accept, group, explanation);
  const all = explained === asPublished ? whole : withNames(whole, renamed);
  const basis = explanation === null ? base : candidate;
  const basedOn = candidateOf(all, evaluator, basis.hypotheses, basis);
  const { fit } = basedOn;
  const differing = fit.misses.filter((i) => !isOfInterval(kind, whole.cells[i]!.field));
  const wrongItems = new Set(differing.map((i) => whole.cells[i]!.item));
  const intervals = explained.areIntervalsOpen ? openIntervals(basedOn, wrongItems) : null;
  const areGiven = intervals !== null && differing.length === 0;
  const found =
    explanation !== null || areGiven ? null : findRepair(candidateOf(base.of, evaluator, [], base));
  const { gives, ...repair } = found ?? { gives: null };
  const reason = explanation && { ...explanation, isAccepted: accepted !== null };
  const given = reason === null ? gives : basedOn.table();
  const model = given && modelOf(all, given);
  const shown = explanation === null ? boardUnitOf(explained.result) : candidate;
  const ownModel = shown && modelOf(all, evaluator.table(kind, asIn(shown), whole.hasEnds));
  const missed = new Set(fit.misses);
  const unpublished = new Set(fit.unpublished);
  function asIn({ scenario: { forms, relative, rescaled } }: Candidate): Scenario {
    return { ...base.scenario, forms, relative, rescaled };
  }
  const proposedFor = (item: string): Renamed[] =>
    renamed.filter((one) => one.published === item || one.recomputed === item);
  const tell = (compared: ComparedNumber, cell: number): ComparedNumber => {
    const { item, field, published } = compared;
    const recomputed = ownModel?.[cell] ?? NaN;
    const number =
      isApart(compared) && Number.isFinite(recomputed)
        ? { ...compared, recomputed, difference: published! - recomputed }
        : compared;
    const proposed = proposedFor(item);
    if (proposed.length > 0) return { ...number, note: renamedText(proposed), cause: null };
    if (fewIn?.has(cell) === true && isApart(number))
      return { ...number, cause: null, open: tooFew };
    if (intervals !== null && isOfInterval(kind, field)) {
      const like = intervals.outliers.has(cell) ? " like those of the others" : "";
      const why = `no formula gives it, and no draws${like}`;
      return intervals.cells.has(cell)
        ? { ...number, cause: null, open: intervals.says }
        : { ...number, cause: null, note: number.note ?? why };
    }
    const isReproduced =
      published === null ? !group.isPartial && !unpublished.has(item) : !missed.has(cell);
    const judged = { ...number, cause: reason && { ...reason, isReproduced } };
    const value = model?.[cell] ?? NaN;
    const isAsPublished = !isApart(number) && (reason === null || isReproduced);
    if (isAsPublished || !Number.isFinite(value)) return judged;
    return { ...judged, under_explanation: value, remaining: published! - value };
  };
  const told = numbers.map(tell);
  const isOpen =
    explanation === null && told.every((number) => !isApart(number) || number.open !== undefined);
  const counted = told.filter(({ item }) => proposedFor(item).length === 0);
  const isGiven = ({ cause }: ComparedNumber): boolean => cause?.isReproduced === true;
  const isPublished = ({ published }: ComparedNumber): boolean => published !== null;
  const differ = counted.filter(isApart);
  const counts = {
    of: counted.filter(isPublished).length,
    reproduced: counted.filter((number) => isPublished(number) && isGiven(number)).length,
    differing: differ.length,
    matched: differ.filter(isGiven).length,
  };
  const cause: Cause = {
    experiment_id,
    kind,
    dimension,
    source,
    explanation: explanation && { ...explanation, ...counts },
    accepted,
    nearest,
    smallest_difference: found === null ? null : (repair as Repair),
    renamed,
    stated: stated.map((h) => h.name),
    tried,
    untried,
  };
  return { cause, isOpen, tell };
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

interface ExplainResult extends Omit<Explained, "found"> {
  readonly explanation: Explanation | null;
  readonly candidate: Candidate;
  readonly nearest: Nearest | null;
  /** The numbers that may follow in another unit, which so few do not show. */
  readonly fewIn: ReadonlySet<number> | null;
}

export function explain(searched: SearchResult): ExplainResult {
  const { found, ...explained } = explanationFrom(searched);
  if (found !== null) return { ...explained, ...found, nearest: null, fewIn: null };
  const { result } = explained;
  const candidate = nearestCandidate(result);
  const nearest = nearestOf(result, candidate);
  return { ...explained, explanation: null, candidate, nearest, fewIn: fewIn(result) };
}

function fewIn({ candidates, own }: SearchResult): ReadonlySet<number> | null {
  const shown = candidates.find(
    ({ hypotheses, unit }) => unit !== null && hypotheses.every(isScale) && isTooFew(unit),
  );
  const missed = new Set(shown?.fit.misses);
  return shown === undefined
    ? null
    : new Set([...own.of.cells.keys()].filter((i) => !missed.has(i)));
}

interface Explained {
  readonly found: FoundExplanation | null;
  readonly result: SearchResult;
  /** No formula gives them, and nobody states how they were computed. */
  readonly areIntervalsOpen: boolean;
}

/** Of all numbers, else of those that are of no interval; then with something left out. */
export function explanationFrom(conventions: SearchResult): Explained {
  const first = explanationWithin(conventions);
  return first.found === null ? explanationWithin(conventions.leavingOut()) : first;
}

function explanationWithin(result: SearchResult): Explained {
  const found = explanationOf(result);
  const whole = result.own.of;
  if (found === null && whole.hasEnds) {
    const some = result.over(valuesOnly(whole));
    const ofValues = explanationOf(some);
    const areOpen = areIntervalsOpen(result);
    if (ofValues !== null || areOpen)
      return { found: ofValues, result: some, areIntervalsOpen: areOpen };
  }
  return { found, result, areIntervalsOpen: false };
}

type FoundExplanation = { readonly explanation: Explanation; readonly candidate: Candidate };

/** The best that is shown: without a part that is not, the rest may be. */
export function explanationOf(result: SearchResult): FoundExplanation | null {
  const [best] = result.candidates;
  if (best === undefined) return null;
  const isPartOfBest = (c: Candidate): boolean =>
    c === best ||
    isAllShared(result, c) ||
    c.hypotheses.every(({ name }) => best.hypotheses.some((h) => h.name === name));
  for (const candidate of result.candidates.filter(isPartOfBest)) {
    const found = supported(result, candidate);
    if (found !== null) return found;
  }
  return null;
}

function supported(result: SearchResult, candidate: Candidate): FoundExplanation | null {
  const { of: target, hypotheses } = candidate;
  const missed = new Set(candidate.fit.misses);
  const differing = missesOf(result.own.fit);
  if (strayMisses(candidate) > maxOutliers(differing)) return null;
  const bits = shownBits(result, candidate);
  if (bits === null) return null;
  const stated = new Set(result.stated.map((h) => h.name));
  const explanation: Explanation = {
    name: candidateName(candidate),
    says: `${saysOf(candidate, stated)}${reachIn(candidate)}`,
    bits,
    unstated: candidateName({ hypotheses: hypotheses.filter((h) => !stated.has(h.name)) }),
    mixed: mixedIn(result, missed),
    contradicts: contradictedBy(candidate, result.stated).map((h) => h.name),
    reproduced: target.cells.length - missed.size,
    of: target.cells.length,
    differing,
    matched: matchedBy(candidate, result),
    rivals: result.rivalsOf(candidate).map(candidateName),
  };
  return { candidate, explanation };
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

function mixedIn({ own }: SearchResult, missed: ReadonlySet<number>): string[] {
  const ownMisses = new Set(own.fit.misses);
  return [
    ...new Set([...missed].filter((i) => !ownMisses.has(i)).map((i) => own.of.cells[i]!.item)),
  ];
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

function saysOf({ hypotheses }: Candidate, stated: ReadonlySet<string>): string {
  const named = hypotheses.filter((h) => stated.has(h.name)).map((h) => h.says);
  const rest = hypotheses.filter((h) => !stated.has(h.name)).map((h) => h.says);
  const as = ["", ", as", ", both as"][named.length] ?? ", all as";
  const asStated = named.length === 0 ? [] : [`${listed(named)}${as} the published options state`];
  return [...(rest.length === 0 ? [] : [listed(rest)]), ...asStated].join("; and ");
}

function nearestCandidate({ own, candidates }: SearchResult): Candidate {
  const cost = (c: Candidate): number => totalBits(c) + 4 * sizeOf(c);
  return candidates.reduce((best, c) => (cost(c) < cost(best) ? c : best), own);
}

const isUnitAlone = ({ unit, hypotheses }: Candidate): boolean =>
  unit !== null && hypotheses.every(isScale);

/** What differences are made of, all but a tenth: ratings in no unit are far from any board. */
const unitsShare = 0.9;

/** The unit that a board has even if nothing explains its numbers. */
function boardUnitOf({ own: { of, table }, candidates }: SearchResult): Candidate | null {
  const shown = candidates.find(isUnitAlone);
  if (shown === undefined) return null;
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
  const { own, candidates } = result;
  const differing = missesOf(own.fit);
  if (differing === 0) return null;
  const isNear = best !== own && matchedBy(best, result) >= worthNaming * differing;
  const candidate = isNear ? best : (candidates.find(isUnitAlone) ?? own);
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
