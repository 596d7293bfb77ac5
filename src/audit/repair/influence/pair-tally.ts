import { amongPresent, type NamedPairs } from "../../../metrics/index.js";

/** The results of each pair of items, kept up to date while comparisons are added and removed. */
export interface PairTally {
  /** Wins of i over j at `i * items + j`. */
  readonly wins: Float64Array;
  /** Ties of i and j at `i * items + j`, i < j. */
  readonly ties: Float64Array;
  readonly add: (a: number, b: number, outcome: number, times: number) => void;
  /** The counts of the items that have a comparison. */
  readonly counts: () => NamedPairs;
}

export function createPairTally(names: readonly string[]): PairTally {
  const items = names.length;
  const wins = new Float64Array(items * items);
  const ties = new Float64Array(items * items);
  return {
    wins,
    ties,
    add: (a, b, outcome, times) => {
      const into = outcome === 0 ? ties : wins;
      const [i, j] = outcome < 0 || (outcome === 0 && a > b) ? [b, a] : [a, b];
      into[i * items + j] = (into[i * items + j] as number) + times;
    },
    counts: () => {
      const pairs: [i: number, j: number][] = [];
      for (let i = 0; i < items; i++) {
        for (let j = i + 1; j < items; j++) {
          if ((wins[i * items + j] as number) + (wins[j * items + i] as number) + (ties[i * items + j] as number) > 0)
            pairs.push([i, j]);
        }
      }
      const column = (of: Float64Array, at: (i: number, j: number) => number): Float64Array =>
        Float64Array.from(pairs, ([i, j]) => of[at(i, j)] as number);
      const { present, counts } = amongPresent({
        items,
        a: Int32Array.from(pairs, ([i]) => i),
        b: Int32Array.from(pairs, ([, j]) => j),
        winsA: column(wins, (i, j) => i * items + j),
        winsB: column(wins, (i, j) => j * items + i),
        ties: column(ties, (i, j) => i * items + j),
      });
      return { items: Array.from(present, (i) => names[i] as string), counts };
    },
  };
}
