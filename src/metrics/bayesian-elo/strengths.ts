/** Strengths of the Bayesian Bradley-Terry model. */
import { Type, type Static } from "typebox";
import { derivatives } from "../bradley-terry/derivatives.js";
import { factorInPlace, solvePairs, substitute } from "../numeric/solvers.js";
import { either, positive } from "../options.js";
import { comparisonsOf, type PairCounts, winsWithHalfTies } from "../pair-counts.js";
import { strict } from "../../platform/index.js";
import { maxNewtonStep } from "../limits.js";

export const bayesianEloSchema = Type.Object(
  {
    shape: Type.Number({ exclusiveMinimum: 1 }),
    rate: positive,
    scale: positive,
    anchor: Type.Number(),
    ties: either(["half", "exclude", "davidson"]),
    stop_elo: Type.Union([positive, Type.Null()]),
    start: either(["cold", "warm"]),
    interval_labels: either(["own", "shifted"]),
    rater_quality: Type.Union([
      Type.Object(
        { alpha: Type.Number({ minimum: 1 }), beta: Type.Number({ minimum: 1 }) },
        strict,
      ),
      Type.Null(),
    ]),
  },
  strict,
);

export type BayesianEloConvention = Static<typeof bayesianEloSchema>;

/** λ by item and how it was reached; changes in Elo of the convention's scale. */
export interface Strengths {
  readonly strength: Float64Array;
  readonly iterations: number;
  readonly converged: boolean;
  readonly maxChangeElo: number;
}

type GammaPrior = Pick<BayesianEloConvention, "shape" | "rate" | "scale">;

interface StrengthData {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly wins: Float64Array;
  readonly comparisons: Float64Array;
}

export const convergedElo = 1e-9;

export function strengthData(counts: PairCounts): StrengthData {
  return {
    a: counts.a,
    b: counts.b,
    wins: winsWithHalfTies(counts),
    comparisons: comparisonsOf(counts),
  };
}

/**
 * The mode of the Bayesian Bradley-Terry model (Caron and Doucet 2012) by Newton's method on
 * log λ, where the log posterior is strictly concave; the fixed point of metrics.md's MM iteration.
 * Converged: the last step moved no item by `stopElo`.
 */
export function newtonStrengths(
  { a, b, wins, comparisons }: StrengthData,
  { shape, rate, scale }: GammaPrior,
  start?: Float64Array,
  maxSteps = 200,
  stopElo = convergedElo,
): Strengths {
  const items = wins.length;
  const log = (start ?? new Float64Array(items).fill((shape - 1) / rate)).map(Math.log);
  const diagonal = new Float64Array(items);
  const weight = new Float64Array(a.length);
  const step = new Float64Array(items);
  const eloPerLog = scale / Math.LN10;
  let iterations = 0;
  let maxChangeElo = Infinity;
  while (iterations < maxSteps && maxChangeElo >= stopElo) {
    for (let i = 0; i < items; i++) {
      const prior = rate * Math.exp(log[i]!);
      step[i] = shape - 1 + wins[i]! - prior;
      diagonal[i] = prior;
    }
    for (let p = 0; p < a.length; p++) {
      const left = a[p]!;
      const right = b[p]!;
      const n = comparisons[p]!;
      const chance = 1 / (1 + Math.exp(log[right]! - log[left]!));
      const information = left === right ? 0 : n * chance * (1 - chance);
      step[left]! += -n * chance;
      step[right]! += -n * (1 - chance);
      diagonal[left]! += information;
      diagonal[right]! += information;
      weight[p] = information;
    }
    if (rate === 0) centre(step);
    if (!solvePairs({ diagonal, a, b, weight }, step)) break;
    if (rate === 0) centre(step);
    const longest = step.reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    const damping = longest > maxNewtonStep ? maxNewtonStep / longest : 1;
    for (let i = 0; i < items; i++) log[i]! += damping * step[i]!;
    maxChangeElo = damping * longest * eloPerLog;
    iterations++;
  }
  return {
    strength: log.map(Math.exp),
    iterations,
    converged: maxChangeElo < stopElo,
    maxChangeElo,
  };
}

/** The MM iterate of metrics.md, for conventions that publish it before it converges. */
export function mmStrengths(
  { a, b, wins, comparisons }: StrengthData,
  { shape, rate, scale }: GammaPrior,
  stopElo: number,
  start?: Float64Array,
  maxSteps = 100_000,
): Strengths {
  const items = wins.length;
  const strength = start?.slice() ?? new Float64Array(items).fill((shape - 1) / rate);
  const eloPerLog = scale / Math.LN10;
  const denominator = new Float64Array(items);
  let iterations = 0;
  let maxChangeElo = Infinity;
  while (iterations < maxSteps && maxChangeElo >= stopElo) {
    denominator.fill(rate);
    for (let p = 0; p < a.length; p++) {
      const left = a[p]!;
      const right = b[p]!;
      const share = comparisons[p]! / (strength[left]! + strength[right]!);
      denominator[left]! += share;
      denominator[right]! += share;
    }
    maxChangeElo = 0;
    for (let i = 0; i < items; i++) {
      const next = (shape - 1 + wins[i]!) / denominator[i]!;
      const change = Math.abs(Math.log(next / strength[i]!)) * eloPerLog;
      if (!(change <= maxChangeElo)) maxChangeElo = change;
      strength[i] = next;
    }
    iterations++;
  }
  return { strength, iterations, converged: maxChangeElo < stopElo, maxChangeElo };
}

function centre(values: Float64Array): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  for (let i = 0; i < values.length; i++) values[i]! -= mean;
}

interface StrengthsWithTies extends Strengths {
  /** Between equal items: ν / (2 + ν). */
  readonly tieChance: number;
}

const maxSteps = 200;

/**
 * The mode with Davidson's ties (1970): P(tie) = ν √(λ_i λ_j) / (λ_i + λ_j + ν √(λ_i λ_j)), with a
 * Gamma prior of λ and a flat one of ν. ν is 0 without ties, infinite with nothing else, and
 * the λ stay at the prior's mode.
 */
export function davidsonStrengths(
  counts: PairCounts,
  prior: GammaPrior,
  start?: Float64Array,
): StrengthsWithTies {
  const { items, winsA, winsB, ties } = counts;
  const { shape, rate, scale } = prior;
  const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
  const tied = total(ties);
  const decided = total(winsA) + total(winsB);
  const strength = start ?? new Float64Array(items).fill((shape - 1) / rate);
  if (tied === 0) return { ...newtonStrengths(strengthData(counts), prior, start), tieChance: 0 };
  if (decided === 0) {
    const atMode = new Float64Array(items).fill((shape - 1) / rate);
    return { strength: atMode, iterations: 0, converged: true, maxChangeElo: 0, tieChance: 1 };
  }
  const size = items + 1;
  const at = new Float64Array(size);
  at.set(strength.map(Math.log));
  at[items] = Math.log(tied / decided);
  const eloPerLog = scale / Math.LN10;
  let iterations = 0;
  let maxChangeElo = Infinity;
  while (iterations < maxSteps && maxChangeElo >= convergedElo) {
    const { gradient: step, information } = derivatives(counts, at, 0);
    for (let i = 0; i < items; i++) {
      const pull = rate * Math.exp(at[i]!);
      step[i] = step[i]! + shape - 1 - pull;
      information[i * size + i]! += pull;
    }
    if (!factorInPlace(information, size)) break;
    substitute(information, step, size);
    const longest = step.reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    const damping = longest > maxNewtonStep ? maxNewtonStep / longest : 1;
    for (let i = 0; i < size; i++) at[i]! += damping * step[i]!;
    maxChangeElo = damping * longest * eloPerLog;
    iterations++;
  }
  return {
    strength: at.slice(0, items).map(Math.exp),
    iterations,
    converged: maxChangeElo < convergedElo,
    maxChangeElo,
    tieChance: 1 / (1 + Math.exp(-at[items])),
  };
}
