/** Derivatives of the likelihood of Bradley-Terry with ties. */
import type { PairCounts } from "../pair-counts.js";

/** One pair at the parameters. */
interface PairState {
  /** Probability that a wins, given no tie. */
  readonly win: number;
  /** Probability of a tie; 0 if ties count half. */
  readonly tie: number;
  /** Of the tie's log odds: by a's log worth (b's is the negative), then by tie parameter. */
  readonly slope: number;
  readonly tieSlopes: readonly number[];
}

const noSlopes: readonly number[] = [];

/** `at`: `items` log worths, then no, one (log odds) or two (log odds, σ) tie parameters. */
export function pairState(at: Float64Array, items: number, a: number, b: number): PairState {
  const win = 1 / (1 + Math.exp(at[b]! - at[a]!));
  if (at.length === items) return { win, tie: 0, slope: 0, tieSlopes: noSlopes };
  const scale = at.length > items + 1 ? at[items + 1]! : 1;
  const evenness = Math.log(4 * win * (1 - win)) / 2;
  const tie = 1 / (1 + Math.exp(-at[items]! - scale * evenness));
  return {
    win,
    tie,
    slope: scale * (0.5 - win),
    tieSlopes: at.length > items + 1 ? [1, evenness] : [1],
  };
}

interface Derivatives {
  readonly gradient: Float64Array;
  /** Its lower triangle is set; the upper one may be. */
  readonly information: Float64Array;
}

export const derivativesOfSize = (size: number): Derivatives => ({
  gradient: new Float64Array(size),
  information: new Float64Array(size * size),
});

/**
 * Gradient and expected information of the log likelihood; overwrites and returns `into`. `level`
 * is added to the worths' diagonal, which is singular along the common level; 0 under a prior.
 */
export function derivatives(
  counts: PairCounts,
  at: Float64Array,
  level = 1,
  into: Derivatives = derivativesOfSize(at.length),
): Derivatives {
  const { items } = counts;
  const size = at.length;
  into.gradient.fill(0);
  into.information.fill(size > items ? 0 : level);
  if (size > items)
    for (let i = 0; i < items; i++) into.information.fill(level, i * size, i * size + items);
  if (size > items) addWithTies(counts, at, into);
  else addHalfTies(counts, at, into);
  return into;
}

function addHalfTies(
  { a, b, winsA, winsB, ties }: PairCounts,
  at: Float64Array,
  into: Derivatives,
): void {
  const { gradient, information } = into;
  const size = at.length;
  for (let p = 0; p < a.length; p++) {
    const i = a[p]!;
    const j = b[p]!;
    const won = winsA[p]!;
    const tied = ties[p]!;
    const n = won + winsB[p]! + tied;
    if (n === 0 || i === j) continue; // a draw of raters has many such pairs
    const win = 1 / (1 + Math.exp(at[j]! - at[i]!));
    const residual = won + tied / 2 - n * win;
    const spread = n * win * (1 - win);
    gradient[i]! += residual;
    gradient[j]! -= residual;
    information[i * size + i]! += spread;
    information[j * size + j]! += spread;
    information[i > j ? i * size + j : j * size + i]! -= spread;
  }
}

function addWithTies(
  { items, a, b, winsA, winsB, ties }: PairCounts,
  at: Float64Array,
  into: Derivatives,
): void {
  const { gradient, information } = into;
  const size = at.length;
  for (let p = 0; p < a.length; p++) {
    const i = a[p]!;
    const j = b[p]!;
    const won = winsA[p]!;
    const lost = winsB[p]!;
    const tied = ties[p]!;
    const n = won + lost + tied;
    const { win, tie, slope, tieSlopes } = pairState(at, items, i, j);
    const surplus = tied - n * tie;
    const residual = won - (won + lost) * win + surplus * slope;
    gradient[i]! += residual;
    gradient[j]! -= residual;
    const tieInformation = n * tie * (1 - tie);
    const spread = n * (1 - tie) * win * (1 - win) + tieInformation * slope * slope;
    information[i * size + i]! += spread;
    information[j * size + j]! += spread;
    information[i * size + j]! -= spread;
    information[j * size + i]! -= spread;
    tieSlopes.forEach((own, k) => {
      const row = items + k;
      gradient[row]! += surplus * own;
      tieSlopes.forEach(
        (other, l) => (information[row * size + items + l]! += tieInformation * own * other),
      );
      for (const [item, sign] of [
        [i, 1],
        [j, -1],
      ] as const) {
        const shared = sign * tieInformation * slope * own;
        information[row * size + item]! += shared;
        information[item * size + row]! += shared;
      }
    });
  }
}
