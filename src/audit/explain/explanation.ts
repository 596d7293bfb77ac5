import { axisOf } from "./parameters/index.js";
import { nameOf, sizeOf, totalBits, type Candidate, rivalsOf } from "./search/candidate.js";
import { marginBits, type SearchResult } from "./search/search.js";
import type { Target } from "../target/index.js";

/** A parameter as reported: what the published precision leaves of it. */
export interface ReportedParameter {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The convention under which published numbers follow. */
export interface Explanation {
  /** `training=include`, `k=16 start=1000`. */
  readonly name: string;
  /** Completes "The published numbers follow when …". */
  readonly says: string;
  readonly parameters: readonly ReportedParameter[];
  /** True where the published options state every part of it. */
  readonly stated: boolean;
  /** Conventions that the published options state and that the numbers do not follow. */
  readonly contradicts: readonly string[];
  readonly reproduced: number;
  readonly of: number;
  readonly free_parameters: number;
  /** Other explanations that suppose as much and reproduce as much; not empty means undetermined. */
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
 * The explanation that the search supports, or null. It must reproduce at least four of five published numbers and,
 * of those that differ, more distinct ones than it has free parameters, and it must be shorter, by 3 bits, than listing what differs.
 */
export function explanationOf(
  target: Target,
  result: SearchResult,
): { explanation: Explanation; candidate: Candidate } | null {
  const candidate = result.candidates[0];
  if (candidate === undefined || totalBits(candidate) + marginBits > totalBits(result.own)) return null;
  const of = target.cells.length;
  const reproduced = of - candidate.fit.misses.length;
  const missed = new Set(candidate.fit.misses);
  const gained = new Set(
    result.own.fit.misses.filter((i) => !missed.has(i)).map((i) => target.cells[i]?.published.value),
  );
  if (reproduced < 0.8 * of || gained.size <= candidate.parameters.length) return null;
  const rivals = rivalsOf(candidate, result.candidates);
  const stated = new Set(result.stated.map((h) => h.name));
  return {
    candidate,
    explanation: {
      name: nameOf(candidate),
      says: saysOf(candidate),
      parameters: candidate.parameters.map(({ name, value, low, high }) => ({ name, value, low, high })),
      stated: candidate.parameters.length === 0 && candidate.switches.every((h) => stated.has(h.name)),
      contradicts: contradicted(candidate, result.stated),
      reproduced,
      of,
      free_parameters: candidate.parameters.length,
      rivals: rivals.map(nameOf),
    },
  };
}

function contradicted({ switches, parameters }: Candidate, stated: SearchResult["stated"]): string[] {
  const supposed = new Set([...switches.map((h) => h.axis), ...parameters.map(axisOf)]);
  const names = new Set(switches.map((h) => h.name));
  return stated.filter((h) => supposed.has(h.axis) && !names.has(h.name)).map((h) => h.name);
}

function saysOf({ switches, parameters }: Candidate): string {
  return [...switches.map((h) => h.says), ...parameters.map((p) => `${p.name} is ${p.value}`)].join(" and ");
}

/** The best candidate where nothing explains, by what it reproduces and then by its simplicity. */
export function nearestCandidate(result: SearchResult): Candidate {
  return [result.own, ...result.candidates].reduce((best, c) => (better(c, best) ? c : best));
}

function better(a: Candidate, b: Candidate): boolean {
  return totalBits(a) + 4 * sizeOf(a) < totalBits(b) + 4 * sizeOf(b);
}

/** How near the nearest candidate comes. */
export function nearestOf(target: Target, result: SearchResult): Nearest {
  const candidate = nearestCandidate(result);
  const residuals = candidate.fit.misses.map((i) =>
    Math.abs((target.cells[i]?.published.value ?? NaN) - cellOf(candidate, i)),
  );
  return {
    name: candidate === result.own ? "own" : nameOf(candidate),
    reproduced: target.cells.length - candidate.fit.misses.length,
    of: target.cells.length,
    largest_residual: Math.max(0, ...residuals.filter(Number.isFinite)),
  };

  function cellOf({ table }: Candidate, i: number): number {
    const { item, field } = target.cells[i] ?? { item: "", field: "" };
    return table.columns[field]?.[table.items.indexOf(item)] ?? NaN;
  }
}
