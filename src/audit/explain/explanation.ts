import type { Evaluator, Scenario } from "../evaluate/index.js";
import { type Target, maxOutliers, modelOf } from "../target/index.js";
import { type Candidate, search, nameOf, rivalsOf, sizeOf, totalBits, type SearchResult } from "./search.js";
import type { SearchLimits } from "../settings.js";
import { listed } from "../../platform/index.js";
import { axisOf, isInUse, type Parameter } from "./parameters/values.js";
import { isEachPartShown, missesOnlyWrong, weigh, type EvidenceBits } from "./weigh.js";

interface ExplainResult {
  readonly explanation: Explanation | null;
  /** How close the best candidate comes; null if there is an explanation. */
  readonly nearest: Nearest | null;
  /** The explaining candidate, otherwise the nearest; the run's own if it has neither conventions nor parameters. */
  readonly candidate: Candidate;
  /** Conventions that the published options state, as `name=value`. */
  readonly stated: readonly string[];
  /** Number of combinations evaluated. */
  readonly tried: number;
  /** Stages of the search that the work limit interrupted. */
  readonly untried: readonly string[];
}

/** Searches for the conventions and parameters that reproduce published numbers. `own`: the run's conventions. */
export function explain(target: Target, evaluator: Evaluator, own: Scenario, limits?: SearchLimits): ExplainResult {
  const result = search(target, evaluator, own, limits);
  const found = explanationOf(target, result);
  return {
    explanation: found?.explanation ?? null,
    nearest: found === null ? nearestOf(target, result) : null,
    candidate: found?.candidate ?? nearestCandidate(result),
    stated: result.stated.map((h) => h.name),
    tried: result.tried,
    untried: result.untried,
  };
}

/** The convention that reproduces published numbers. */
export interface Explanation {
  /** `training=include`, `k=16 start=1000`. */
  readonly name: string;
  /** Completes "The published numbers match when …". */
  readonly says: string;
  /** Each with the range that the published precision leaves. */
  readonly parameters: readonly Omit<Parameter, "bits">[];
  /** Parameters fitted to the numbers; empty if every part is a named convention or a value in common use. */
  readonly fitted: readonly string[];
  readonly bits: EvidenceBits;
  /** The parts of `name` that the published options do not state; empty if they state everything. */
  readonly unstated: string;
  /** Conventions that the published options state but the numbers contradict. */
  readonly contradicts: readonly string[];
  readonly reproduced: number;
  readonly of: number;
  /** Numbers that differ under the run's own conventions, items that are not published included. */
  readonly differing: number;
  /** Those of them that it reproduces. */
  readonly matched: number;
  readonly free_parameters: number;
  /** Equally simple explanations that reproduce as many numbers; if there are any, the result is undetermined. */
  readonly rivals: readonly string[];
}

/** The best candidate that does not reproduce the numbers, with the largest difference that it leaves. */
export interface Nearest {
  readonly name: string;
  readonly reproduced: number;
  readonly of: number;
  /** Numbers that differ under the run's own conventions, items that are not published included. */
  readonly differing: number;
  /** Those of them that it reproduces. */
  readonly matched: number;
  readonly largest_residual: number;
}

type Found = { readonly explanation: Explanation; readonly candidate: Candidate };

/**
 * The explanation that the search supports, or null: it must reproduce four of five of the numbers that differ, and
 * these must outweigh what it supposes, and each part of it. If one part is not shown, the rest may be.
 */
export function explanationOf(target: Target, result: SearchResult): Found | null {
  const [best] = result.candidates;
  if (best === undefined) return null;
  const isPartOfBest = (c: Candidate): boolean =>
    c === best ||
    (c.parameters.length === 0 && c.hypotheses.every(({ name }) => best.hypotheses.some((h) => h.name === name)));
  for (const candidate of result.candidates.filter(isPartOfBest)) {
    const found = supported(target, result, candidate);
    if (found !== null) return found;
  }
  return null;
}

function supported(target: Target, result: SearchResult, candidate: Candidate): Found | null {
  const { hypotheses, parameters } = candidate;
  const of = target.cells.length;
  const missed = new Set(candidate.fit.misses);
  const differing = result.own.fit.misses.length + result.own.fit.unpublished.length;
  if (missed.size + candidate.fit.unpublished.length > maxOutliers(differing)) return null;
  const bits = weigh(target, result, candidate);
  if (!(bits.evidence >= bits.cost + bits.margin) || !isEachPartShown(target, result, candidate)) return null;
  if (!missesOnlyWrong(target, result, candidate)) return null;
  const stated = new Set(result.stated.map((h) => h.name));
  const explanation: Explanation = {
    name: nameOf(candidate),
    says: saysOf(candidate, stated),
    parameters: parameters.map(({ name, value, low, high }) => ({ name, value, low, high })),
    fitted: parameters.filter((p) => !isInUse(target.kind, p)).map((p) => p.name),
    bits,
    unstated: nameOf({ hypotheses: hypotheses.filter((h) => !stated.has(h.name)), parameters }),
    contradicts: contradicted(candidate, result.stated),
    reproduced: of - missed.size,
    of,
    differing,
    matched: matchedBy(candidate, result),
    free_parameters: parameters.length,
    rivals: rivalsOf(candidate, result.candidates).map(nameOf),
  };
  return { candidate, explanation };
}

/** Numbers that differ under the run's own conventions and that a candidate reproduces. */
function matchedBy({ fit }: Candidate, { own }: SearchResult): number {
  const [missed, unpublished] = [new Set(fit.misses), new Set(fit.unpublished)];
  const { misses, unpublished: items } = own.fit;
  return misses.filter((i) => !missed.has(i)).length + items.filter((item) => !unpublished.has(item)).length;
}

/** What nobody states first, then what the published options state. */
function saysOf({ hypotheses, parameters }: Candidate, stated: ReadonlySet<string>): string {
  const named = hypotheses.filter((h) => stated.has(h.name)).map((h) => h.says);
  const rest = [
    ...hypotheses.filter((h) => !stated.has(h.name)).map((h) => h.says),
    ...parameters.map((p) => p.says ?? valueText(p)),
  ];
  const as = ["", ", as", ", both as"][named.length] ?? ", all as";
  const asStated = named.length === 0 ? [] : [`${listed(named)}${as} the published options state`];
  return [...(rest.length === 0 ? [] : [listed(rest)]), ...asStated].join("; and ");
}

/** `k = 16 (± 0.04)`, or with both ends if they are not equally far. */
function valueText({ name, value, low, high }: Omit<Parameter, "bits">): string {
  const half = Math.max(high - value, value - low);
  const isCentral = high + low - 2 * value <= 0.4 * half && 2 * value - high - low <= 0.4 * half;
  const range = isCentral
    ? `± ${half < 1e-3 ? half.toExponential(0) : half.toPrecision(1)}`
    : `${endText(low, half)} to ${endText(high, half)}`;
  const share = name === "scale" ? shareText(low, high) : "";
  return half === 0 ? `${name} = ${value}` : `${name} = ${value} (${range}${share})`;
}

/** An end of a range, with a digit more than the range needs. */
const endText = (end: number, half: number): string =>
  String(Number(end.toFixed(Math.min(15, Math.max(0, 1 - Math.floor(Math.log10(half)))))));

/** `168/167`, if it is the only factor of n/(n - 1) or (n - 1)/n within a range. */
function shareText(low: number, high: number): string {
  const middle = (low + high) / 2;
  const n = Math.round(middle > 1 ? middle / (middle - 1) : 1 / (1 - middle));
  const factorOf = (count: number): number => (middle > 1 ? count / (count - 1) : (count - 1) / count);
  const isWithin = (count: number): boolean => factorOf(count) >= low && factorOf(count) <= high;
  if (!(n > 2) || !Number.isFinite(n) || !isWithin(n) || isWithin(n - 1) || isWithin(n + 1)) return "";
  return middle > 1 ? `, ${n}/${n - 1}: is n - 1 the denominator?` : `, ${n - 1}/${n}: is n + 1 the denominator?`;
}

function contradicted({ hypotheses, parameters }: Candidate, stated: SearchResult["stated"]): string[] {
  const axes = new Set([...hypotheses.map((h) => h.axis), ...parameters.map(axisOf)]);
  const names = new Set(hypotheses.map((h) => h.name));
  return stated.filter((h) => axes.has(h.axis) && !names.has(h.name)).map((h) => h.name);
}

/** Without an explanation, the best candidate: the one that reproduces the most, then the simplest. */
export function nearestCandidate({ own, candidates }: SearchResult): Candidate {
  const cost = (c: Candidate): number => totalBits(c) + 4 * sizeOf(c);
  return candidates.reduce((best, c) => (cost(c) < cost(best) ? c : best), own);
}

/** How close the nearest candidate comes. */
export function nearestOf(target: Target, result: SearchResult): Nearest {
  const candidate = nearestCandidate(result);
  const { misses } = candidate.fit;
  const model = modelOf(target, candidate.table);
  const residuals = misses.map((i) => Math.abs((target.cells[i]?.published.value ?? NaN) - (model[i] as number)));
  return {
    name: candidate === result.own ? "own" : nameOf(candidate),
    reproduced: target.cells.length - misses.length,
    of: target.cells.length,
    differing: result.own.fit.misses.length + result.own.fit.unpublished.length,
    matched: matchedBy(candidate, result),
    largest_residual: Math.max(0, ...residuals.filter(Number.isFinite)),
  };
}
