import type { Scenario } from "../../evaluate/scenario.js";
import { countFields } from "../../../metrics/index.js";
import type { Target } from "../../target/index.js";
import { allowance } from "../../compare/tolerances.js";
import type { Gap } from "./influence.js";

/** What a win, a loss and a tie of an item add to an equation; a gradient takes the expected share from each. */
export interface Weights {
  readonly equation: number;
  readonly win: number;
  readonly loss: number;
  readonly tie: number;
  readonly isGradient: boolean;
}

export interface PairEquations {
  readonly gap: Gap;
  readonly ofItem: readonly (readonly Weights[])[];
  /** Chance of the first item against the second, at the published ratings. */
  readonly chance: (item: number, other: number) => number;
}

interface Counts {
  readonly wins: Float64Array;
  readonly ties: Float64Array;
}

/** Sums of counts are whole or half numbers, and exact. */
const countSlack = 1e-9;

const counted: Readonly<Record<string, readonly [win: number, loss: number, tie: number]>> = {
  wins: [1, 0, 0],
  losses: [0, 1, 0],
  ties: [0, 0, 1],
  n: [1, 1, 1],
};

/**
 * The published numbers as equations. A percentage v = 100 W / N says W - (v / 100) N = 0; a rating at the mode of
 * the posterior says that the gradient there is 0. Both are sums over comparisons, at the published value.
 */
export function equationsOf(
  target: Target,
  scenario: Scenario,
  items: readonly string[],
  counts: Counts,
): PairEquations | null {
  const { kind, cells, halfWidth } = target;
  const { conventions } = scenario;
  const size = items.length;
  const totals = items.map((_, i) => {
    let [wins, losses, ties] = [0, 0, 0];
    for (let j = 0; j < size; j++) {
      wins += counts.wins[i * size + j] as number;
      losses += counts.wins[j * size + i] as number;
      ties += counts.ties[i < j ? i * size + j : j * size + i] as number;
    }
    return [wins, losses, ties] as const;
  });
  const ofItem: Weights[][] = items.map(() => []);
  const rest: number[] = [];
  const slack: number[] = [];
  const unit: number[] = [];
  const index = new Map(items.map((item, i) => [item, i]));
  const log = new Float64Array(size).fill(NaN);
  const width = new Float64Array(size);
  const rule = conventions.ties.percent_chosen;

  for (const [c, { item, field, published }] of cells.entries()) {
    const i = index.get(item);
    if (i === undefined) return null;
    const allowed = allowance(target.tolerances, kind, field, published.value);
    const half = (halfWidth[c] as number) + allowed;
    const shares = counted[field];
    if (shares !== undefined && countFields.has(field)) {
      const halves = kind === "bayesian_elo" && field === "wins";
      const rounding = halves ? (target.group.precision[field]?.halfWidth ?? 0) : 0;
      add(i, halves ? [1, 0, 0.5] : shares, published.value, countSlack + allowed + rounding, halves ? 0.5 : 1);
    } else if (kind === "percent_chosen" && field === "value") {
      const share = published.value / conventions.percent_scale;
      const n = (totals[i]?.[0] ?? 0) + (totals[i]?.[1] ?? 0) + (rule === "exclude" ? 0 : (totals[i]?.[2] ?? 0));
      const tie = (rule === "half" ? 0.5 : 0) - (rule === "exclude" ? 0 : share);
      // Twice the width: n is not yet what it will be.
      const fits = (2 * half * n) / conventions.percent_scale;
      add(i, [1 - share, -share, tie], 0, fits, fits);
    } else if (kind === "bayesian_elo" && field === "value") {
      const { shape, rate, scale, anchor } = conventions.bayesian_elo;
      log[i] = ((published.value - anchor) / scale) * Math.LN10 + Math.log((shape - 1) / rate);
      width[i] = (half / scale) * Math.LN10;
    }
  }
  if (kind === "bayesian_elo" && !gradients()) return null;
  const own = new Set(cells.map((cell) => cell.item));
  items.forEach((item, i) => own.has(item) || add(i, [1, 1, 1], 0, countSlack, 1));
  if (rest.length === 0) return null;
  const gap = { rest: Float64Array.from(rest), slack: Float64Array.from(slack), unit: Float64Array.from(unit) };
  return { gap, ofItem, chance };

  function chance(i: number, j: number): number {
    return 1 / (1 + Math.exp((log[j] as number) - (log[i] as number)));
  }

  function add(
    i: number,
    [win, loss, tie]: readonly [number, number, number],
    published: number,
    within: number,
    apart: number,
  ): void {
    const [wins, losses, ties] = totals[i] as readonly [number, number, number];
    ofItem[i]?.push({ equation: rest.length, win, loss, tie, isGradient: false });
    rest.push(published - win * wins - loss * losses - tie * ties);
    slack.push(within);
    unit.push(apart);
  }

  /** shape - 1 + w_i - rate λ_i - Σ_j n_ij p_ij = 0 at the published λ; what rounding leaves of it is slack. */
  function gradients(): boolean {
    const { shape, rate, stop_elo: stop, rater_quality: quality } = conventions.bayesian_elo;
    if (stop !== null || quality !== null || log.some(Number.isNaN)) return false;
    for (let i = 0; i < size; i++) {
      const [wins, , ties] = totals[i] as readonly [number, number, number];
      const prior = rate * Math.exp(log[i] as number);
      let gradient = shape - 1 + wins + ties / 2 - prior;
      let within = prior * (width[i] as number);
      for (let j = 0; j < size; j++) {
        const met =
          (counts.wins[i * size + j] as number) +
          (counts.wins[j * size + i] as number) +
          (counts.ties[Math.min(i, j) * size + Math.max(i, j)] as number);
        if (i === j || met === 0) continue;
        const p = chance(i, j);
        gradient -= met * p;
        within += met * p * (1 - p) * ((width[i] as number) + (width[j] as number));
      }
      ofItem[i]?.push({ equation: rest.length, win: 1, loss: 0, tie: 0.5, isGradient: true });
      rest.push(-gradient);
      slack.push(1.2 * within + 1e-9 * (wins + 1));
      unit.push(2 * within);
    }
    return true;
  }
}
