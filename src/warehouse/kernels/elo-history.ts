import { eloRatings, runsOf, type Conventions, type OrderedComparisons } from "../../metrics/index.js";

/** One entry per session and item that the session compared. */
interface EloHistory {
  readonly item: Int32Array;
  readonly session: Int32Array;
  readonly value: Float64Array;
  /** Updates of the rating until then. */
  readonly comparisons: Int32Array;
}

/** Online Elo after each session, of the items that the session compared. */
export function eloHistory(items: number, games: OrderedComparisons, elo: Conventions["elo"]): EloHistory {
  const { a, b, session } = games;
  const most = 2 * a.length;
  const out = {
    item: new Int32Array(most),
    session: new Int32Array(most),
    value: new Float64Array(most),
    comparisons: new Int32Array(most),
  };
  let rows = 0;
  const { rating, played, play } = eloRatings(items, games, elo);
  const lastRun = new Int32Array(items).fill(-1);
  for (const { from, to } of runsOf(session)) {
    play(from, to);
    const first = rows;
    for (const side of [a, b])
      for (let i = from; i < to; i++) {
        const item = side[i] as number;
        if (lastRun[item] === from) continue;
        lastRun[item] = from;
        out.item[rows++] = item;
      }
    out.item.subarray(first, rows).sort();
    for (let row = first; row < rows; row++) {
      const item = out.item[row] as number;
      out.session[row] = session[from] as number;
      out.value[row] = rating[item] as number;
      out.comparisons[row] = played[item] as number;
    }
  }
  return {
    item: out.item.subarray(0, rows),
    session: out.session.subarray(0, rows),
    value: out.value.subarray(0, rows),
    comparisons: out.comparisons.subarray(0, rows),
  };
}
