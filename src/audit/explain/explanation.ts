import { maxOutliers, modelOf, type Target } from "../target/index.js";
import { axisOf, isInUse, type Parameter } from "./parameters/index.js";
import { weigh, type EvidenceBits } from "./evidence.js";
import { nameOf, rivalsOf, sizeOf, totalBits, type Candidate } from "./search/candidate.js";
import type { SearchResult } from "./search/search.js";

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
  readonly free_parameters: number;
  /** Equally simple explanations that reproduce as many numbers; if there are any, the result is undetermined. */
  readonly rivals: readonly string[];
}

/** The best candidate that does not reproduce the numbers, with the largest difference that it leaves. */
export interface Nearest {
  readonly name: string;
  readonly reproduced: number;
  readonly of: number;
  readonly largest_residual: number;
}

/**
 * The explanation that the search supports, or null: it must reproduce four of five of the numbers that differ, and
 * these must outweigh what it supposes.
 */
export function explanationOf(
  target: Target,
  result: SearchResult,
): { explanation: Explanation; candidate: Candidate } | null {
  const candidate = result.candidates[0];
  if (candidate === undefined) return null;
  const { hypotheses, parameters } = candidate;
  const of = target.cells.length;
  const missed = new Set(candidate.fit.misses);
  const differing = result.own.fit.misses.length + result.own.fit.unpublished.length;
  if (missed.size + candidate.fit.unpublished.length > maxOutliers(differing)) return null;
  const bits = weigh(target, result, candidate);
  if (bits.evidence < bits.cost + bits.margin) return null;
  const stated = new Set(result.stated.map((h) => h.name));
  const explanation: Explanation = {
    name: nameOf(candidate),
    says: [...hypotheses.map((h) => h.says), ...parameters.map((p) => `${p.name} is ${p.value}`)].join(" and "),
    parameters: parameters.map(({ name, value, low, high }) => ({ name, value, low, high })),
    fitted: parameters.filter((p) => !isInUse(target.kind, p)).map((p) => p.name),
    bits,
    unstated: nameOf({ hypotheses: hypotheses.filter((h) => !stated.has(h.name)), parameters }),
    contradicts: contradicted(candidate, result.stated),
    reproduced: of - missed.size,
    of,
    free_parameters: parameters.length,
    rivals: rivalsOf(candidate, result.candidates).map(nameOf),
  };
  return { candidate, explanation };
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
    largest_residual: Math.max(0, ...residuals.filter(Number.isFinite)),
  };
}
