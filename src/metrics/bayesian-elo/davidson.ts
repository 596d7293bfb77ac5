import { derivatives } from "../bradley-terry/derivatives.js";
import { factorInPlace, substitute } from "../numeric/cholesky.js";
import type { PairCounts } from "../pairs/pair-counts.js";
import { convergedElo, newtonStrengths, strengthData, type GammaPrior, type Strengths } from "./strengths.js";

interface StrengthsWithTies extends Strengths {
  /** Probability of a tie between equal items: ν / (2 + ν). */
  readonly tieChance: number;
}

/** The longest step in log λ and in the log odds of a tie. */
const maxStep = 2;
const maxSteps = 200;

/**
 * The mode of Bradley-Terry with Davidson's ties (1970): a tie of i and j has probability
 * ν √(λ_i λ_j) / (λ_i + λ_j + ν √(λ_i λ_j)), the λ have their Gamma prior, and ν, which all pairs share, has a flat one.
 * By Newton's method on log λ and log ν, where the log posterior is strictly concave if some comparisons are ties and
 * some are not. Without ties ν is 0; with nothing else it is infinite, and the λ stay at the prior's mode.
 */
export function davidsonStrengths(counts: PairCounts, prior: GammaPrior, start?: Float64Array): StrengthsWithTies {
  const { items, winsA, winsB, ties } = counts;
  const { shape, rate, scale } = prior;
  const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
  const [tied, decided] = [total(ties), total(winsA) + total(winsB)];
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
      const pull = rate * Math.exp(at[i] as number);
      step[i] = (step[i] as number) + shape - 1 - pull;
      information[i * size + i] = (information[i * size + i] as number) + pull;
    }
    if (!factorInPlace(information, size)) break;
    substitute(information, step, size);
    const longest = step.reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    const damping = longest > maxStep ? maxStep / longest : 1;
    for (let i = 0; i < size; i++) at[i] = (at[i] as number) + damping * (step[i] as number);
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
