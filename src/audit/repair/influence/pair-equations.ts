import { isCount } from "../../../metrics/index.js";
import { allowance } from "../../settings.js";
import type { Scenario } from "../../evaluate/index.js";
import type { Target } from "../../target/index.js";
import { countSlack, createEquationList, type Equations } from "./equations.js";
import type { PairTally } from "./pair-tally.js";

/** What a win, a loss and a tie of an item add to an equation; a gradient subtracts the expected share from what counts. */
interface PairWeights {
  readonly win: number;
  readonly loss: number;
  readonly tie: number;
  readonly isGradient: boolean;
}

interface PairEquations extends Equations<PairWeights> {
  /** Probability that the first item is preferred to the second, at the published ratings. */
  readonly chance: (item: number, other: number) => number;
}

type Weights = readonly [win: number, loss: number, tie: number];

/**
 * The published numbers as equations. A percentage v = 100 W / N says W - (v / 100) N = 0; a rating at the mode of
 * the posterior says that the gradient there is 0. Both are sums over comparisons, at the published value. Null if a
 * published item has no comparison or the numbers are not sums: with Davidson's ties, a change moves their parameter.
 */
export function pairEquations(
  target: Target,
  { conventions }: Scenario,
  items: readonly string[],
  { wins, ties }: PairTally,
): PairEquations | null {
  const { kind, cells, halfWidth } = target;
  const size = items.length;
  const list = createEquationList<PairWeights>(size);
  const totals = items.map((_, i) => {
    let [won, lost, tied] = [0, 0, 0];
    for (let j = 0; j < size; j++) {
      won += wins[i * size + j] as number;
      lost += wins[j * size + i] as number;
      tied += ties[i < j ? i * size + j : j * size + i] as number;
    }
    return [won, lost, tied] as const;
  });
  const index = new Map(items.map((item, i) => [item, i]));
  /** Logarithm of the published strength of each item, and the half width of it. */
  const log = new Float64Array(size).fill(NaN);
  const width = new Float64Array(size);
  const rule = kind === "bayesian_elo" ? conventions.bayesian_elo.ties : conventions.ties.percent_chosen;
  /** What a tie adds to the comparisons. */
  const tieCounts = kind !== "win_loss" && rule === "exclude" ? 0 : 1;
  const compared: Weights = [1, 1, tieCounts];
  const counted: Readonly<Record<string, Weights>> = {
    wins: [1, 0, kind === "bayesian_elo" ? tieCounts / 2 : 0],
    losses: [0, 1, 0],
    ties: [0, 0, 1],
    n: compared,
  };

  for (const [c, { item, field, published }] of cells.entries()) {
    const i = index.get(item);
    if (i === undefined) return null;
    const allowed = allowance(target.tolerances, kind, field, published.value);
    const half = (halfWidth[c] as number) + allowed;
    const shares = counted[field];
    if (shares !== undefined && isCount(kind, field)) {
      const isHalves = kind === "bayesian_elo" && field === "wins";
      const rounding = isHalves ? (target.group.precision[field]?.halfWidth ?? 0) : 0;
      const slack = countSlack + allowed + rounding;
      state(i, shares, published.value, slack, isHalves ? 0.5 : 1);
    } else if (kind === "percent_chosen" && field === "value") {
      const { percent_scale, chosen, denominator } = conventions;
      const share = published.value / percent_scale;
      const [won, lost, tied] = totals[i] as Weights;
      const n = won + lost + tieCounts * tied;
      const [win, loss] = chosen === "wins" ? [1, 0] : [0, 1];
      const tie = (rule === "half" ? 0.5 : 0) - tieCounts * share;
      // Twice the width: the change will change n too.
      const slack = (2 * half * n) / percent_scale;
      state(i, [win - share, loss - share, tie], denominator === "n" ? 0 : -share, slack, slack);
    } else if (kind === "bayesian_elo" && field === "value") {
      const { shape, rate, scale, anchor } = conventions.bayesian_elo;
      log[i] = ((published.value - anchor) / scale) * Math.LN10 + Math.log((shape - 1) / rate);
      width[i] = (half / scale) * Math.LN10;
    }
  }
  if (kind === "bayesian_elo" && !stateGradients()) return null;
  const own = new Set(cells.map((cell) => cell.item));
  items.forEach((item, i) => own.has(item) || state(i, compared, 0, countSlack, 1));
  const equations = list.equations();
  const chances = Float64Array.from({ length: size * size }, (_, at) => chance(Math.floor(at / size), at % size));
  return equations && { ...equations, chance: (i, j) => chances[i * size + j] as number };

  function chance(i: number, j: number): number {
    return 1 / (1 + Math.exp((log[j] as number) - (log[i] as number)));
  }

  function state(i: number, [win, loss, tie]: Weights, published: number, slack: number, resolution: number): void {
    const [won, lost, tied] = totals[i] as Weights;
    const have = win * won + loss * lost + tie * tied;
    list.add(i, { win, loss, tie, isGradient: false }, published, have, slack, resolution);
  }

  /** shape - 1 + w_i - rate λ_i - Σ_j n_ij p_ij = 0 at the published λ; the rounding of λ gives the slack. */
  function stateGradients(): boolean {
    const { shape, rate, stop_elo: stop, rater_quality: quality } = conventions.bayesian_elo;
    if (rule === "davidson" || stop !== null || quality !== null || log.some(Number.isNaN)) return false;
    for (let i = 0; i < size; i++) {
      const [won, , tied] = totals[i] as Weights;
      const prior = rate * Math.exp(log[i] as number);
      let gradient = shape - 1 + won + (tieCounts * tied) / 2 - prior;
      let within = prior * (width[i] as number);
      for (let j = 0; j < size; j++) {
        const n =
          (wins[i * size + j] as number) +
          (wins[j * size + i] as number) +
          tieCounts * (ties[Math.min(i, j) * size + Math.max(i, j)] as number);
        if (i === j || n === 0) continue;
        const p = chance(i, j);
        gradient -= n * p;
        within += n * p * (1 - p) * ((width[i] as number) + (width[j] as number));
      }
      const weights = { win: 1, loss: 0, tie: tieCounts / 2, isGradient: true };
      list.add(i, weights, 0, gradient, 1.2 * within + 1e-9 * (won + 1), 2 * within);
    }
    return true;
  }
}
