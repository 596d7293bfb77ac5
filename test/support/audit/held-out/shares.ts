import { mapped, pairs, type Algorithm } from "../bed/algorithm.js";
import { duelsOf, gammaElo, recordsOf, type Duel, type Record4 } from "../bed/paired.js";
import { avg, grouped, sum } from "../bed/scored.js";
import type { Row } from "../bed/study.js";
import { countsIn } from "./counts.js";

type ShareOf = (own: Record4, item: string, duels: readonly Duel[]) => number;

const shareAs = (
  name: string,
  names: readonly string[],
  value: ShareOf,
  n: (r: Record4) => number = (r) => r.n,
): Algorithm => ({
  ...{ name, names, kind: "percent_chosen", families: pairs },
  of: (rows, study) => {
    const duels = duelsOf(rows);
    return countsIn(
      study,
      mapped(recordsOf(duels), (r, item) => ({ value: 100 * value(r, item, duels), n: n(r) })),
    );
  },
});

/** The comparisons of an item, seen from it. */
const sidesOf = (duels: readonly Duel[], item: string): { other: string; share: number; session: number }[] =>
  duels.flatMap(({ a, b, share, session }) =>
    a === item ? [{ other: b, share, session }] : b === item ? [{ other: a, share: 1 - share, session }] : [],
  );
const won = (sides: readonly { share: number }[]): number => sides.filter((s) => s.share === 1).length / sides.length;
const over =
  (
    key: (side: { other: string; session: number }) => unknown,
    of: (sides: readonly { share: number }[]) => number,
  ): ShareOf =>
  (_, item, duels) => {
    const found = new Map<unknown, { share: number }[]>();
    for (const side of sidesOf(duels, item)) found.set(key(side), [...(found.get(key(side)) ?? []), side]);
    return avg([...found.values()].map(of));
  };
const balance = (sides: readonly { share: number }[]): number => sum(sides.map((s) => s.share - 0.5));

export const heldOutShares: readonly Algorithm[] = [
  shareAs("half ties, fractions", ["ties=half", "scale=fraction"], (r) => (r.wins + r.ties / 2) / r.n / 100),
  shareAs(
    "no ties, losses",
    ["ties=exclude", "share=losses"],
    (r) => r.losses / (r.wins + r.losses),
    (r) => r.wins + r.losses,
  ),
  shareAs("half ties, over n - 1", ["ties=half", "denominator=n-1"], (r) => (r.wins + r.ties / 2) / (r.n - 1)),
  shareAs("100 less the share", ["scale", "shift"], (r) => 1 - r.wins / r.n),
  shareAs("Jeffreys", [], (r) => (r.wins + 0.5) / (r.n + 1)),
  shareAs("Wilson's lower end", [], (r) => {
    const [p, z] = [r.wins / r.n, 1.96];
    return (
      (p + (z * z) / (2 * r.n) - z * Math.sqrt((p * (1 - p)) / r.n + (z * z) / (4 * r.n * r.n))) / (1 + (z * z) / r.n)
    );
  }),
  shareAs("net wins", [], (r) => (r.wins - r.losses) / r.n),
  shareAs("wins per decision, n with ties", ["ties=exclude"], (r) => r.wins / Math.max(1, r.wins + r.losses)),
  shareAs("ties a quarter", [], (r) => (r.wins + r.ties / 4) / r.n),
  shareAs("ties lost twice", [], (r) => r.wins / (r.n + r.ties)),
  shareAs("of all wins", [], (r, _, duels) => r.wins / Math.max(1, duels.filter((d) => d.share !== 0.5).length)),
  shareAs("ten prior comparisons", [], (r) => (r.wins + 5) / (r.n + 10)),
  shareAs(
    "Copeland",
    [],
    over(
      (s) => s.other,
      (sides) => (Math.sign(balance(sides)) + 1) / 2,
    ),
  ),
  shareAs(
    "mean over opponents",
    [],
    over((s) => s.other, won),
  ),
  shareAs(
    "mean over sessions",
    [],
    over((s) => s.session, won),
  ),
  shareAs(
    "mean over halves of the sessions",
    [],
    over((s) => s.session % 2, won),
  ),
  shareAs(
    "majority of sessions",
    [],
    over(
      (s) => s.session,
      (sides) => Number(balance(sides) > 0),
    ),
  ),
  shareAs("Borda over the items", [], (r, _, duels) => (r.wins + r.ties / 2) / (duels.length / 2)),
  shareAs("chance to beat the average", [], (_, item, duels) => {
    const elo = gammaElo(duels, { stop: 1e-6 });
    return 1 / (1 + 10 ** ((avg([...elo.values()]) - (elo.get(item) as number)) / 400));
  }),
  shareAs("recent sessions weigh more", [], (_, item, duels) => {
    const sides = sidesOf(duels, item);
    return sum(sides.map((s) => (s.share === 1 ? 1.02 ** s.session : 0))) / sum(sides.map((s) => 1.02 ** s.session));
  }),
  shareAs("first ten comparisons", [], (_, item, duels) => won(sidesOf(duels, item).slice(0, 10))),
];

/** Comparisons out of slates with more than two scores. */
const ranked = (
  name: string,
  names: readonly string[],
  of: (slate: readonly Row[]) => Duel[],
  isCounted: (duel: Duel) => boolean = () => true,
): Algorithm => ({
  ...{ name, names, kind: "percent_chosen", families: ["mushra"] },
  of: (rows, study) => {
    const duels = [...grouped(rows, (r) => r.slate).values()].flatMap(of).filter(isCounted);
    return countsIn(
      study,
      mapped(recordsOf(duels), (r) => ({ value: (100 * r.wins) / r.n, n: r.n })),
    );
  },
});
const duelOf = (x: Row, y: Row): Duel => {
  const [a, b] = x.item < y.item ? [x, y] : [y, x];
  return { a: a.item, b: b.item, session: a.session, share: (Math.sign(a.score - b.score) + 1) / 2 };
};
const allPairs = (slate: readonly Row[]): Duel[] =>
  slate.flatMap((x, i) => slate.slice(i + 1).map((y) => duelOf(x, y)));
const byScore = (slate: readonly Row[]): Row[] => slate.toSorted((x, y) => y.score - x.score);

export const heldOutRanked: readonly Algorithm[] = [
  ranked("all pairs of a slate", ["pairs=all"], allPairs),
  ranked("all pairs that are not tied", ["pairs=all", "ties=exclude"], allPairs, (d) => d.share !== 0.5),
  ranked("the best against each other", [], (slate) =>
    byScore(slate)
      .slice(1)
      .map((y) => duelOf(byScore(slate)[0] as Row, y)),
  ),
  ranked("neighbours in rank", [], (slate) =>
    byScore(slate)
      .slice(1)
      .map((y, i) => duelOf(byScore(slate)[i] as Row, y)),
  ),
  ranked("two of three pairs", [], (slate) => allPairs(slate).filter((_, i) => i % 3 !== 0)),
];

const recordAs = (name: string, of: (r: Record4, item: string, duels: readonly Duel[]) => Record4): Algorithm => ({
  ...{ name, names: [], kind: "win_loss", families: pairs },
  of: (rows) => {
    const duels = duelsOf(rows);
    return mapped(recordsOf(duels), (r, item) => ({ ...of(r, item, duels) }));
  },
});

export const heldOutRecords: readonly Algorithm[] = [
  recordAs("ties are won by both", (r) => ({ ...r, wins: r.wins + r.ties, ties: 0 })),
  recordAs("ties are lost by both", (r) => ({ ...r, losses: r.losses + r.ties, ties: 0 })),
  recordAs("wins and losses exchanged", (r) => ({ ...r, wins: r.losses, losses: r.wins })),
  recordAs("pairs by majority", (_, item, duels) => {
    const signs = [...byOpponent(sidesOf(duels, item)).values()].map((sides) => Math.sign(balance(sides)));
    const count = (sign: number): number => signs.filter((s) => s === sign).length;
    return { wins: count(1), losses: count(-1), ties: count(0), n: signs.length };
  }),
];
function byOpponent(sides: readonly { other: string; share: number }[]): Map<string, { share: number }[]> {
  const found = new Map<string, { share: number }[]>();
  for (const side of sides) found.set(side.other, [...(found.get(side.other) ?? []), side]);
  return found;
}
