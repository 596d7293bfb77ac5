import type { PairCounts } from "../pairs/pair-counts.js";

/** One pair's likelihood at the parameters: probabilities, and derivatives of the tie's log odds. */
interface PairState {
  /** Probability that a wins a comparison that is not a tie. */
  readonly win: number;
  /** Probability of a tie; 0 if ties count half. */
  readonly tie: number;
  /** Derivatives of the tie's log odds: by a's log worth (b's is its negative), then by each tie parameter. */
  readonly slope: number;
  readonly tieSlopes: readonly number[];
}

const none: readonly number[] = [];

/** `at` holds `items` log worths, then no, one (log odds) or two (log odds, σ) tie parameters. */
export function pairState(at: Float64Array, items: number, a: number, b: number): PairState {
  const win = 1 / (1 + Math.exp((at[b] as number) - (at[a] as number)));
  if (at.length === items) return { win, tie: 0, slope: 0, tieSlopes: none };
  const scale = at.length > items + 1 ? (at[items + 1] as number) : 1;
  const evenness = Math.log(4 * win * (1 - win)) / 2;
  const tie = 1 / (1 + Math.exp(-(at[items] as number) - scale * evenness));
  return { win, tie, slope: scale * (0.5 - win), tieSlopes: at.length > items + 1 ? [1, evenness] : [1] };
}

/**
 * Gradient and expected information of the log likelihood. The information is singular along the common level, so `level` is
 * added to each of its worth entries; it does not affect the step, because the gradient sums to zero over the worths. A
 * prior that fixes the level needs 0.
 */
export function derivatives(
  { items, a, b, winsA, winsB, ties }: PairCounts,
  at: Float64Array,
  level = 1,
): { gradient: Float64Array; information: Float64Array } {
  const size = at.length;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  for (let i = 0; i < items; i++) information.fill(level, i * size, i * size + items);
  const add = (values: Float64Array, index: number, amount: number): void => {
    values[index] = (values[index] as number) + amount;
  };
  const hasTie = size > items;
  for (let p = 0; p < a.length; p++) {
    const [i, j] = [a[p] as number, b[p] as number];
    const [won, lost, tied] = [winsA[p] as number, winsB[p] as number, ties[p] as number];
    const n = won + lost + tied;
    const { win, tie, slope, tieSlopes } = pairState(at, items, i, j);
    const decided = hasTie ? won + lost : n;
    const surplus = tied - n * tie;
    const residual = (hasTie ? won : won + tied / 2) - decided * win + (hasTie ? surplus * slope : 0);
    add(gradient, i, residual);
    add(gradient, j, -residual);
    const tieInformation = n * tie * (1 - tie);
    const spread = n * (1 - tie) * win * (1 - win) + tieInformation * slope * slope;
    add(information, i * size + i, spread);
    add(information, j * size + j, spread);
    add(information, i * size + j, -spread);
    add(information, j * size + i, -spread);
    if (!hasTie) continue;
    tieSlopes.forEach((own, k) => {
      const row = items + k;
      add(gradient, row, surplus * own);
      tieSlopes.forEach((other, l) => add(information, row * size + items + l, tieInformation * own * other));
      for (const [item, sign] of [
        [i, 1],
        [j, -1],
      ] as const) {
        const shared = sign * tieInformation * slope * own;
        add(information, row * size + item, shared);
        add(information, item * size + row, shared);
      }
    });
  }
  return { gradient, information };
}
