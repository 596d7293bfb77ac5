import { newtonStrengths, strengthData } from "../bayesian-strengths.js";
import { factorInPlace, substitute } from "../cholesky.js";
import { defaultConventions } from "../conventions.js";
import { denseLimit } from "../laplacian.js";
import type { PairCounts } from "../pair-counts.js";

/** A maximum-likelihood fit of one class: log worths that sum to zero. */
export interface WorthFit {
  readonly logWorth: Float64Array;
  /** log ν of Davidson's model; null where ties count half or there are none. */
  readonly logTie: number | null;
  readonly iterations: number;
  readonly converged: boolean;
  /** Largest change of a log worth in the last step. */
  readonly maxChange: number;
}

const convergedLog = 1e-12;
const maxStep = 2;

/**
 * Maximum likelihood of Bradley-Terry by Newton's method. Ties count half a win each way, or are an
 * outcome of their own (Davidson 1970: P(tie) ∝ ν √(λ_i λ_j)) where `davidson` is true.
 * The pairs must connect all items, both ways (see `likelihoodClasses`).
 */
export function fitWorths(counts: PairCounts, davidson: boolean, start?: WorthFit, maxSteps = 100): WorthFit {
  const { items } = counts;
  const hasTie = davidson && counts.ties.some((t) => t > 0);
  if (!hasTie && items > denseLimit) return fitLarge(counts, start, maxSteps);
  const size = items + Number(hasTie);
  const at = new Float64Array(size);
  if (start) at.set(start.logWorth);
  if (hasTie) at[items] = start?.logTie ?? 0;
  let iterations = 0;
  let maxChange = Infinity;
  while (iterations < maxSteps && maxChange >= convergedLog) {
    const { gradient, information } = derivatives(counts, at, hasTie);
    if (!factorInPlace(information, size)) break;
    substitute(information, gradient, size);
    const longest = gradient.reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    const damping = longest > maxStep ? maxStep / longest : 1;
    for (let i = 0; i < size; i++) at[i] = (at[i] as number) + damping * (gradient[i] as number);
    maxChange = damping * longest;
    iterations++;
  }
  const converged = maxChange < convergedLog;
  return {
    logWorth: at.slice(0, items),
    logTie: hasTie ? (at[items] as number) : null,
    iterations,
    converged,
    maxChange: items === 1 && !hasTie ? 0 : maxChange,
  };
}

/** Many items: the Bayesian fit without its prior never writes a matrix out. */
function fitLarge(counts: PairCounts, start: WorthFit | undefined, maxSteps: number): WorthFit {
  const eloPerLog = 1000;
  const flat = { ...defaultConventions.bayesian_elo, shape: 1, rate: 0, scale: eloPerLog * Math.LN10 };
  const from = start?.logWorth.map(Math.exp) ?? new Float64Array(counts.items).fill(1);
  const fit = newtonStrengths(strengthData(counts), flat, from, maxSteps);
  const log = fit.strength.map(Math.log);
  const mean = log.reduce((sum, x) => sum + x, 0) / counts.items;
  return {
    logWorth: log.map((x) => x - mean),
    logTie: null,
    iterations: fit.iterations,
    converged: fit.converged,
    maxChange: fit.maxChangeElo / eloPerLog,
  };
}

/** Chances of a win of a, of b and of a tie for two log worths. */
export function chances(a: number, b: number, logTie: number | null): [number, number, number] {
  const [left, right] = [Math.exp((a - b) / 2), Math.exp((b - a) / 2)];
  const tie = logTie === null ? 0 : Math.exp(logTie);
  const total = left + right + tie;
  return [left / total, right / total, tie / total];
}

/**
 * Gradient and information of the log likelihood. The information is singular along the common
 * level; a one is added to each of its worth entries, which the gradient, summing to zero, never sees.
 */
export function derivatives(
  { items, a, b, winsA, winsB, ties }: PairCounts,
  at: Float64Array,
  hasTie: boolean,
): { gradient: Float64Array; information: Float64Array } {
  const size = items + Number(hasTie);
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  for (let i = 0; i < items; i++) information.fill(1, i * size, i * size + items);
  const add = (values: Float64Array, index: number, amount: number): void => {
    values[index] = (values[index] as number) + amount;
  };
  for (let p = 0; p < a.length; p++) {
    const [i, j] = [a[p] as number, b[p] as number];
    const [winA, winB, tied] = [winsA[p] as number, winsB[p] as number, ties[p] as number];
    const n = winA + winB + tied;
    const logTie = hasTie ? (at[items] as number) : null;
    const [chanceA, chanceB, chanceTie] = chances(at[i] as number, at[j] as number, logTie);
    const mean = chanceA + chanceTie / 2;
    const residual = winA + tied / 2 - n * mean;
    add(gradient, i, residual);
    add(gradient, j, -residual);
    const spread = n * (chanceA + chanceTie / 4 - mean * mean);
    add(information, i * size + i, spread);
    add(information, j * size + j, spread);
    add(information, i * size + j, -spread);
    add(information, j * size + i, -spread);
    if (!hasTie) continue;
    const shared = (n * chanceTie * (chanceB - chanceA)) / 2;
    add(gradient, items, tied - n * chanceTie);
    add(information, items * size + items, n * chanceTie * (1 - chanceTie));
    for (const [item, amount] of [[i, shared], [j, -shared]] as const) {
      add(information, items * size + item, amount);
      add(information, item * size + items, amount);
    }
  }
  return { gradient, information };
}
