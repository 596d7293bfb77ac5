/** Maximum likelihood of Bradley-Terry and its models of ties. */
import { Type, type Static } from "typebox";
import { newtonStrengths, strengthData } from "../bayesian-elo/strengths.js";
import { denseLimit, factorInPlace, substitute } from "../numeric/solvers.js";
import { either, seed } from "../options.js";
import type { PairCounts } from "../pair-counts.js";
import { derivatives, derivativesOfSize } from "./derivatives.js";
import { strict } from "../../platform/index.js";
import { maxNewtonStep } from "../limits.js";

export const bradleyTerrySchema = Type.Object(
  {
    ties: either(["half", "davidson", "generalised_davidson"]),
    rater_samples: Type.Integer({ minimum: 0, maximum: 100_000 }),
    seed,
  },
  strict,
);

export type BradleyTerryConvention = Static<typeof bradleyTerrySchema>;

export type TieModel = BradleyTerryConvention["ties"];

/** One class: log worths that sum to zero. */
export interface WorthFit {
  readonly logWorth: Float64Array;
  /** Log odds of a tie between equals, and scale σ; empty if ties count half or there are none. */
  readonly tie: readonly number[];
  readonly iterations: number;
  readonly converged: boolean;
  /** Of any parameter in the last step. */
  readonly maxChange: number;
}

const convergedLog = 1e-12;
const mostSteps = 100;

/**
 * Step where a draw's fit may stop: Newton squares the error, so worths are right to 1e-11; under σ
 * each step only halves it, as the expected information is not the observed one.
 */
const drawnLog = 1e-6;
export const stopOfDraw = (model: TieModel): number =>
  model === "generalised_davidson" ? convergedLog : drawnLog;

function tieParameters({ ties }: PairCounts, model: TieModel): number[] {
  if (model === "half" || !ties.some((t) => t > 0)) return [];
  return model === "davidson" ? [-1] : [-1, 1];
}

/**
 * Maximum likelihood by Fisher scoring: P(win | no tie) is p = λ_i / (λ_i + λ_j), the odds of a tie
 * are δ (4 p (1 - p))^(σ/2); σ = 1: Davidson (1970), σ free: Firth (BradleyTerry2). The pairs must
 * connect all items both ways (`likelihoodClasses`). Or a tie counts half a win each way.
 */
export function fitWorths(
  counts: PairCounts,
  model: TieModel,
  start?: WorthFit,
  stop = convergedLog,
): WorthFit {
  const { items } = counts;
  const tie = tieParameters(counts, model);
  if (tie.length === 0 && items > denseLimit) return fitLarge(counts, start, stop);
  const size = items + tie.length;
  const at = new Float64Array(size);
  at.set(tie, items);
  const from = start ?? (tie.length > 1 ? fitWorths(counts, "davidson") : undefined);
  if (from) {
    at.set(from.logWorth);
    at.set(from.tie.slice(0, tie.length), items);
  }
  const work = derivativesOfSize(size);
  let iterations = 0;
  let maxChange = Infinity;
  while (iterations < mostSteps && maxChange >= stop) {
    const { gradient, information } = derivatives(counts, at, 1, work);
    if (!factorInPlace(information, size)) break;
    substitute(information, gradient, size);
    let longest = 0;
    for (let i = 0; i < size; i++) longest = Math.max(longest, Math.abs(gradient[i]!));
    const damping = longest > maxNewtonStep ? maxNewtonStep / longest : 1;
    for (let i = 0; i < size; i++) at[i]! += damping * gradient[i]!;
    maxChange = damping * longest;
    iterations++;
  }
  const converged = maxChange < stop;
  return {
    logWorth: at.slice(0, items),
    tie: [...at.subarray(items)],
    iterations,
    converged,
    maxChange,
  };
}

function fitLarge(counts: PairCounts, start: WorthFit | undefined, stop: number): WorthFit {
  const eloPerLog = 1000;
  const flat = { shape: 1, rate: 0, scale: eloPerLog * Math.LN10 };
  const from = start?.logWorth.map(Math.exp) ?? new Float64Array(counts.items).fill(1);
  const fit = newtonStrengths(strengthData(counts), flat, from, mostSteps, stop * eloPerLog);
  const log = fit.strength.map(Math.log);
  const mean = log.reduce((sum, x) => sum + x, 0) / counts.items;
  return {
    logWorth: log.map((x) => x - mean),
    tie: [],
    iterations: fit.iterations,
    converged: fit.converged,
    maxChange: fit.maxChangeElo / eloPerLog,
  };
}
