/** The cause of one result that differs: an explanation, or else the smallest change of items. */
import { isOfInterval, type Conventions, type Kind } from "../../metrics/index.js";
import { listed } from "../../platform/index.js";
import type { ComparedNumber, KindResult } from "../compare.js";
import { ownScenario, type Scenario } from "../evaluate/scenario.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { acceptedDraws } from "../explain/hypotheses.js";
import {
  candidateName,
  search,
  sizeOf,
  totalBits,
  type Candidate,
  type SearchResult,
  type SharedConventions,
} from "../explain/search.js";
import { isEachPartShown, isShared, missesOnlyWrong, weigh } from "../explain/weigh.js";
import { isApart, judge } from "../judge.js";
import { contradictedBy } from "../options.js";
import type { GroupKey } from "../published/cells.js";
import { findRepair, renamedItems, renamedText, withNames, type Repair } from "./repair-items.js";
import type { SearchLimits, Tolerances } from "../settings.js";
import { maxOutliers, modelOf, targetOf, type Target } from "../target.js";
import {
  acceptedFor,
  isAbout,
  type Acceptance,
  type Explanation,
  type Finding,
  type Nearest,
} from "./finding.js";
import { areIntervalsOpen, openIntervals, valuesOnly } from "./open-intervals.js";

export interface OpenResult extends KindResult {
  readonly numbers: readonly ComparedNumber[];
  /** Why a difference proves nothing: ratings are in quarantine. */
  readonly doubt?: string | undefined;
}

export interface FoundCause {
  readonly finding: Finding;
  readonly tell: (number: ComparedNumber) => ComparedNumber;
}

export interface CauseSettings {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly limits: SearchLimits;
  readonly accept: readonly Acceptance[];
}

export function findCause(
  { group, kind, numbers, doubt }: OpenResult,
  evaluator: Evaluator,
  { conventions, tolerances, limits, accept }: CauseSettings,
  shared: SharedConventions | null = null,
): FoundCause {
  const { experiment_id, dimension, source, published_in } = group;
  const whole = targetOf(group, kind, tolerances);
  const own = ownScenario(conventions, dimension, source);
  const known = withAccepted(shared, accept, group, kind);
  const first = explain(whole, evaluator, own, limits, known);
  const target = first.areIntervalsOpen ? valuesOnly(whole) : whole;
  const asPublished = target === whole ? first : explain(target, evaluator, own, limits, known);
  const renamed = renamedItems(target, asPublished.candidate.table);
  const asRenamed =
    renamed.length === 0
      ? asPublished
      : explain(withNames(target, renamed), evaluator, own, limits, known);
  const explained = asRenamed.explanation === null ? asPublished : asRenamed;
  const { nearest, candidate, stated, tried, untried } = explained;
  const names = new Set(renamed.map((one) => one.published));
  const uncounted =
    asRenamed === asPublished ? 0 : target.cells.filter(({ item }) => names.has(item)).length;
  const ends = whole.cells.length - target.cells.length;
  const explanation =
    explained.explanation && counting(explained.explanation, { uncounted, unmatched: ends });
  const name = candidateName(candidate);
  const { scenario, nameBits, table, fit } = candidate;
  const near = name === "" ? null : { name, scenario, nameBits };
  const accepted = explanation && acceptedFor(accept, group, explanation);
  const differing = numbers.filter((one) => isApart(one) && !isOfInterval(kind, one.field));
  const areGiven = target !== whole && differing.length === 0;
  const found = explanation !== null || areGiven ? null : findRepair(target, evaluator, own, near);
  const { gives, ...repair } = found ?? { gives: null };
  const cause = explanation === null ? null : { ...explanation, isAccepted: accepted !== null };
  const given = cause === null ? gives : table;
  const model = given && modelOf(target, given);
  const missed = new Set(fit.misses);
  const unpublished = new Set(fit.unpublished);
  const cellOf = cellIndex(target);
  const wrong = explanation === null ? differing : fit.misses.map((i) => target.cells[i]!);
  const wrongItems = new Set(wrong.map(({ item }) => item));
  const basis = explanation === null ? own : scenario;
  const intervals =
    target === whole
      ? null
      : openIntervals(whole, evaluator.table(kind, basis), (item) => !wrongItems.has(item));
  const endOf = cellIndex(whole);
  const tell = (number: ComparedNumber): ComparedNumber => {
    const { item, field, published } = number;
    const cell = cellOf(number);
    const proposed = renamed.filter((one) => one.published === item || one.recomputed === item);
    if (proposed.length > 0) return { ...number, note: renamedText(proposed), cause: null };
    if (intervals !== null && isOfInterval(kind, field))
      return intervals.cells.has(endOf(number))
        ? { ...number, cause: null, drawn: intervals.says }
        : { ...number, cause: null, note: number.note ?? "no formula gives it, and no draws" };
    const isReproduced =
      published === null ? !group.isPartial && !unpublished.has(item) : !missed.has(cell);
    const told = { ...number, cause: cause && { ...cause, isReproduced } };
    const value = model?.[cell] ?? NaN;
    const isAsPublished = !isApart(number) && (cause === null || isReproduced);
    if (isAsPublished || !Number.isFinite(value)) return told;
    return { ...told, under_explanation: value, remaining: published! - value };
  };
  const isOpen =
    intervals !== null &&
    explanation === null &&
    numbers.every((number) => !isApart(number) || tell(number).drawn !== undefined);
  const finding: Finding = {
    experiment_id,
    kind,
    dimension,
    source,
    published_in: [published_in],
    explanation,
    verdict: isOpen
      ? "inconclusive"
      : judge({ nearness: "apart", cause: cause && { ...cause, isReproduced: true }, doubt })
          .verdict,
    accepted,
    nearest,
    smallest_difference: found === null ? null : (repair as Repair),
    renamed,
    stated,
    tried,
    untried,
  };
  return { finding, tell };
}

/** Omits some numbers that match, and counts others. */
const counting = (
  explanation: Explanation,
  { uncounted, unmatched }: { readonly uncounted: number; readonly unmatched: number },
): Explanation => ({
  ...explanation,
  of: explanation.of - uncounted + unmatched,
  reproduced: explanation.reproduced - uncounted,
  differing: explanation.differing - uncounted + unmatched,
  matched: explanation.matched - uncounted,
});

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

function cellIndex({ cells }: Target): (number: ComparedNumber) => number {
  const keyOf = (item: string, field: string, value: number | null): string =>
    JSON.stringify([item, field, value]);
  const index = new Map(
    cells.map(({ item, field, published }, i) => [keyOf(item, field, published.value), i]),
  );
  return ({ item, field, published }) => index.get(keyOf(item, field, published)) ?? -1;
}

interface ExplainResult {
  readonly explanation: Explanation | null;
  /** Null if there is an explanation. */
  readonly nearest: Nearest | null;
  /** The explaining one, else the nearest, else the run's own. */
  readonly candidate: Candidate;
  /** No formula gives them, and nobody states how they were computed. */
  readonly areIntervalsOpen: boolean;
  readonly stated: readonly string[];
  readonly tried: number;
  readonly untried: readonly string[];
}

export function explain(
  target: Target,
  evaluator: Evaluator,
  own: Scenario,
  limits?: SearchLimits,
  shared: SharedConventions | null = null,
): ExplainResult {
  const conventions = search(target, evaluator, own, limits, shared);
  const { found, result } = explanationFrom(target, conventions);
  const { stated, tried, untried } = result;
  const candidate = found?.candidate ?? nearestCandidate(conventions);
  return {
    explanation: found?.explanation ?? null,
    nearest: found === null ? nearestOf(target, result, candidate) : null,
    candidate,
    areIntervalsOpen: found === null && areIntervalsOpen(target, result),
    stated: stated.map((h) => h.name),
    tried,
    untried,
  };
}

export function explanationFrom(target: Target, conventions: SearchResult) {
  const found = explanationOf(target, conventions);
  if (found !== null) return { found, result: conventions };
  const result = conventions.leavingOut();
  return { found: explanationOf(target, result), result };
}

type FoundExplanation = { readonly explanation: Explanation; readonly candidate: Candidate };

/**
 * Null unless it gives four of five of the differing numbers and they outweigh what it supposes,
 * and each part of it; without a part not shown, the rest may do.
 */
export function explanationOf(target: Target, result: SearchResult): FoundExplanation | null {
  const [best] = result.candidates;
  if (best === undefined) return null;
  const isPartOfBest = (c: Candidate): boolean =>
    c === best ||
    isAllShared(result, c) ||
    c.hypotheses.every(({ name }) => best.hypotheses.some((h) => h.name === name));
  for (const candidate of result.candidates.filter(isPartOfBest)) {
    const found = supported(target, result, candidate);
    if (found !== null) return found;
  }
  return null;
}

function supported(
  target: Target,
  result: SearchResult,
  candidate: Candidate,
): FoundExplanation | null {
  const { hypotheses } = candidate;
  const of = target.cells.length;
  const missed = new Set(candidate.fit.misses);
  const differing = result.own.fit.misses.length + result.own.fit.unpublished.length;
  if (missed.size + candidate.fit.unpublished.length > maxOutliers(differing)) return null;
  const bits = weigh(target, result, candidate);
  if (!(bits.evidence >= bits.cost + bits.margin) || !isEachPartShown(target, result, candidate))
    return null;
  if (!missesOnlyWrong(target, result, candidate)) return null;
  const stated = new Set(result.stated.map((h) => h.name));
  const explanation: Explanation = {
    name: candidateName(candidate),
    says: `${saysOf(candidate, stated)}${reachIn(candidate)}`,
    bits,
    unstated: candidateName({ hypotheses: hypotheses.filter((h) => !stated.has(h.name)) }),
    mixed: mixedIn(target, result, missed),
    contradicts: contradictedBy(
      target,
      result.evaluator,
      candidate.scenario,
      candidate.fit,
      result.stated,
    ).map((h) => h.name),
    reproduced: of - missed.size,
    of,
    differing,
    matched: matchedBy(candidate, result),
    rivals: result.rivalsOf(candidate).map(candidateName),
  };
  return { candidate, explanation };
}

function reachIn({ table: { stopped } }: Candidate): string {
  const most = Math.max(...(stopped?.reach ?? []));
  return stopped === undefined
    ? ""
    : `; compared within its reach, at most ± ${Number(most.toPrecision(2))}`;
}

function mixedIn({ cells }: Target, { own }: SearchResult, missed: ReadonlySet<number>): string[] {
  const ownMisses = new Set(own.fit.misses);
  return [...new Set([...missed].filter((i) => !ownMisses.has(i)).map((i) => cells[i]!.item))];
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

/** What nobody states first. */
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

function nearestOf(target: Target, result: SearchResult, candidate: Candidate): Nearest {
  const { misses } = candidate.fit;
  const model = modelOf(target, candidate.table);
  const residuals = misses.map((i) =>
    Math.abs((target.cells[i]?.published.value ?? NaN) - model[i]!),
  );
  return {
    name: candidate === result.own ? "own" : candidateName(candidate),
    reproduced: target.cells.length - misses.length,
    of: target.cells.length,
    differing: result.own.fit.misses.length + result.own.fit.unpublished.length,
    matched: matchedBy(candidate, result),
    largest_residual: Math.max(0, ...residuals.filter(Number.isFinite)),
  };
}
