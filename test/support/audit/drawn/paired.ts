import { mapped, pairs, type Algorithm } from "../bed/algorithm.js";
import { duelsOf, eloOf, gammaElo, recordsOf, ridgeElo, type Duel, type Record4 } from "../bed/paired.js";
import { avg, grouped, medianOf, sum } from "../bed/scored.js";
import type { Row } from "../bed/study.js";
import { countsIn } from "../held-out/counts.js";

type Ratings = Map<string, number>;
type Rated = (duels: Duel[], rows: readonly Row[], random: () => number) => Ratings;
interface Side {
  readonly other: string;
  readonly share: number;
  readonly session: number;
}

const sidesOf = (duels: readonly Duel[], item: string): Side[] =>
  duels.flatMap(({ a, b, share, session }) =>
    a === item ? [{ other: b, share, session }] : b === item ? [{ other: a, share: 1 - share, session }] : [],
  );
const won = (sides: readonly Side[]): number =>
  sides.length === 0 ? NaN : sides.filter((s) => s.share === 1).length / sides.length;
const partsOf = (sides: readonly Side[], key: (side: Side) => unknown): Side[][] => {
  const found = new Map<unknown, Side[]>();
  for (const side of sides) {
    const own = found.get(key(side)) ?? [];
    own.push(side);
    found.set(key(side), own);
  }
  return [...found.values()];
};

const shareAs = (name: string, value: (sides: Side[], all: Map<string, Record4>) => number): Algorithm => ({
  ...{ name, names: [], kind: "percent_chosen", families: pairs },
  of(rows, study) {
    const duels = duelsOf(rows);
    const all = recordsOf(duels);
    return countsIn(
      study,
      mapped(all, ({ n }, item) => ({ value: 100 * value(sidesOf(duels, item), all), n })),
    );
  },
});
const shareOf = (all: Map<string, Record4>, item: string): number => {
  const own = all.get(item) as Record4;
  return own.wins / own.n;
};

export const drawnShares: readonly Algorithm[] = [
  shareAs("Tukey's (w + 1/3)/(n + 2/3)", (sides) => (won(sides) * sides.length + 1 / 3) / (sides.length + 2 / 3)),
  shareAs("opponents weigh by their share", (sides, all) => {
    const weights = sides.map((s) => 0.2 + shareOf(all, s.other));
    return sum(sides.map((s, i) => (s.share === 1 ? (weights[i] as number) : 0))) / sum(weights);
  }),
  shareAs("against the better half", (sides, all) => {
    const middle = medianOf([...all.keys()].map((item) => shareOf(all, item)));
    return won(sides.filter((s) => shareOf(all, s.other) >= middle));
  }),
  shareAs("without the most frequent opponent", (sides) => {
    const parts = partsOf(sides, (s) => s.other).sort((x, y) => y.length - x.length);
    return won(parts.length > 1 ? parts.slice(1).flat() : sides);
  }),
  shareAs("opponents beaten by most", (sides) =>
    avg(partsOf(sides, (s) => s.other).map((own) => Number(sum(own.map((s) => s.share - 0.5)) > 0))),
  ),
  shareAs("the last 20 comparisons", (sides) => won(sides.slice(-20))),
  shareAs("the newer half", (sides) => won(sides.slice(sides.length >> 1))),
  shareAs("median over sessions", (sides) => medianOf(partsOf(sides, (s) => s.session).map(won))),
  shareAs("wins by margin of sessions", (sides) =>
    avg(partsOf(sides, (s) => s.session).map((own) => avg(own.map((s) => s.share)) ** 2)),
  ),
  shareAs("longest series of wins", (sides) => {
    let [run, most] = [0, 0];
    for (const { share } of sides) {
      run = share === 1 ? run + 1 : 0;
      most = Math.max(most, run);
    }
    return most / sides.length;
  }),
  shareAs("ties by the opponent's share", (sides, all) =>
    avg(sides.map((s) => (s.share === 0.5 ? shareOf(all, s.other) : s.share))),
  ),
];

export const drawnRecords: readonly Algorithm[] = (
  [
    ["ties by a coin", (s: Side, i: number) => (s.share === 0.5 ? { ...s, share: i % 2 } : s)],
    [
      "late losses are ties",
      (s: Side, i: number, of: number) => (i > 0.8 * of && s.share === 0 ? { ...s, share: 0.5 } : s),
    ],
    ["every tenth result reversed", (s: Side, i: number) => (i % 10 === 3 ? { ...s, share: 1 - s.share } : s)],
    ["every seventh comparison twice", (s: Side, i: number) => (i % 7 === 2 ? [s, s] : s)],
    ["only wins after the third count", (s: Side, i: number) => (i < 3 && s.share === 1 ? [] : s)],
  ] as const
).map(([name, of]) => ({
  ...{ name, names: [], kind: "win_loss", families: pairs },
  of(rows) {
    const duels = duelsOf(rows);
    return mapped(recordsOf(duels), (_, item) => {
      const sides = sidesOf(duels, item);
      const all: Side[] = sides.flatMap((side, i) => of(side, i, sides.length));
      const count = (share: number): number => all.filter((s) => s.share === share).length;
      return { wins: count(1), losses: count(0), ties: count(0.5), n: all.length };
    });
  },
}));

const ratedAs =
  (kind: "elo" | "bayesian_elo") =>
  (name: string, of: Rated): Algorithm => ({
    ...{ name, names: [], kind, families: pairs },
    of: (rows, _, random) => mapped(of(duelsOf(rows), rows, random), (value) => ({ value })),
  });
const [eloAs, strengthAs] = [ratedAs("elo"), ratedAs("bayesian_elo")];
const itemsOf = (duels: readonly Duel[]): string[] => [...new Set(duels.flatMap((d) => [d.a, d.b]))].sort();

/** Elo by a rule of its own: what both sides gain, and what happens to all ratings after a session. */
function eloBy(
  duels: readonly Duel[],
  gains: (expected: number, share: number, game: number, at: readonly [number, number]) => readonly [number, number],
  afterSession: (rating: number) => number = (rating) => rating,
): { at: Ratings; path: Map<string, number[]> } {
  const at: Ratings = new Map();
  const path = new Map<string, number[]>();
  let game = 0;
  duels.forEach((duel, i) => {
    game = i > 0 && duel.session === duels[i - 1]?.session ? game + 1 : 0;
    if (game === 0) for (const [item, rating] of at) at.set(item, afterSession(rating));
    const [a, b] = [at.get(duel.a) ?? 2000, at.get(duel.b) ?? 2000];
    const [up, down] = gains(1 / (1 + 10 ** ((b - a) / 400)), duel.share, game, [a, b]);
    for (const [item, value] of [
      [duel.a, a + up],
      [duel.b, b + down],
    ] as const) {
      at.set(item, value);
      path.set(item, [...(path.get(item) ?? []).slice(-60), value]);
    }
  });
  return { at, path };
}
const plain = (k: number) => (expected: number, share: number) =>
  [k * (share - expected), k * (expected - share)] as const;

export const drawnElos: readonly Algorithm[] = [
  eloAs("ratings fade by 1 % a session", (duels) => eloBy(duels, plain(32), (r) => 2000 + 0.99 * (r - 2000)).at),
  eloAs(
    "a session's first comparison counts twice",
    (duels) => eloBy(duels, (e, s, game) => plain(game === 0 ? 64 : 32)(e, s)).at,
  ),
  eloAs(
    "losers lose half",
    (duels) => eloBy(duels, (e, s) => [32 * (s - e) * (s < 0.5 ? 0.5 : 1), 32 * (e - s) * (s > 0.5 ? 0.5 : 1)]).at,
  ),
  eloAs(
    "mean of the last 60 ratings",
    (duels) => new Map([...eloBy(duels, plain(32)).path].map(([item, all]) => [item, avg(all)])),
  ),
  eloAs(
    "median of the last 60 ratings",
    (duels) => new Map([...eloBy(duels, plain(32)).path].map(([item, all]) => [item, medianOf(all)])),
  ),
  eloAs("K by the gap", (duels) => eloBy(duels, (e, s) => plain(16 + 32 * Math.abs(e - 0.5))(e, s)).at),
  eloAs(
    "gap at most 100",
    (duels) =>
      eloBy(duels, (_, s, __, [a, b]) => plain(32)(1 / (1 + 10 ** (-Math.max(-100, Math.min(100, a - b)) / 400)), s))
        .at,
  ),
  eloAs("sessions in pairs exchanged", (duels) =>
    eloOf(
      duels.toSorted((x, y) => (x.session ^ 1) - (y.session ^ 1)),
      {},
    ),
  ),
  eloAs("the first 70 % only", (duels) => eloOf(duels.slice(0, Math.ceil(0.7 * duels.length)), {})),
  eloAs("K 32 and K 8, mean", (duels) => {
    const [fast, slow] = [eloOf(duels, {}), eloOf(duels, { k: 8 })];
    return new Map([...fast].map(([item, v]) => [item, (v + (slow.get(item) as number)) / 2]));
  }),
  eloAs("ridge 0.3 as Elo", (duels) => ridgeElo(duels, 0.3)),
];

/** Stationary shares of a walk from losers to winners. */
function rankCentrality(duels: readonly Duel[]): Ratings {
  const items = itemsOf(duels);
  const index = new Map(items.map((item, i) => [item, i]));
  const flow = items.map(() => items.map(() => 0.5 / items.length));
  for (const { a, b, share } of duels) {
    const [i, j] = [index.get(a) as number, index.get(b) as number];
    (flow[i] as number[])[j] = (flow[i]?.[j] as number) + 1 - share;
    (flow[j] as number[])[i] = (flow[j]?.[i] as number) + share;
  }
  const most = Math.max(...flow.map(sum));
  let at = items.map(() => 1 / items.length);
  for (let round = 0; round < 2000; round++)
    at = items.map((_, i) =>
      sum(
        at.map((p, j) =>
          j === i
            ? p * (1 - sum(flow[i] as number[]) / most + (flow[i]?.[i] as number) / most)
            : (p * (flow[j]?.[i] as number)) / most,
        ),
      ),
    );
  return new Map(items.map((item, i) => [item, 2000 + 400 * Math.log10((at[i] as number) * items.length)]));
}

/** Mean over the opponents of the logit of a share with half a win more on each side. */
function meanLogits(duels: readonly Duel[]): Ratings {
  return new Map(
    itemsOf(duels).map((item) => {
      const parts = partsOf(sidesOf(duels, item), (s) => s.other);
      const logits = parts.map((own) => {
        const wins = sum(own.map((s) => s.share)) + 0.5;
        return Math.log10(wins / (own.length + 1 - wins));
      });
      return [item, 2000 + 400 * avg(logits)];
    }),
  );
}
const mixed = (x: Ratings, y: Ratings, share: number): Ratings =>
  new Map([...x].map(([item, v]) => [item, (1 - share) * v + share * (y.get(item) ?? v)]));

export const drawnStrengths: readonly Algorithm[] = [
  strengthAs("rank centrality", rankCentrality),
  strengthAs("mean logit over opponents", meanLogits),
  strengthAs("Bayesian and online, mean", (d) => mixed(gammaElo(d, {}), eloOf(d, {}), 0.5)),
  strengthAs("a tenth of the share's logit", (d) => mixed(gammaElo(d, {}), meanLogits(d), 0.1)),
  strengthAs("ridge 0.05 without ties", (d) =>
    ridgeElo(
      d.filter((one) => one.share !== 0.5),
      0.05,
    ),
  ),
  strengthAs("the newer half", (d) => gammaElo(d.slice(d.length >> 1), {})),
  strengthAs("ten bootstrap draws, mean", (d, _, random) => {
    const draws = Array.from({ length: 10 }, () =>
      gammaElo(
        Array.from(d, () => d[Math.floor(random() * d.length)] as Duel),
        {},
      ),
    );
    return new Map(itemsOf(d).map((item) => [item, avg(draws.map((one) => one.get(item) ?? 2000))]));
  }),
  strengthAs("each session once a pair", (d) => {
    const seen = new Set<string>();
    return gammaElo(
      d.filter(({ a, b, session }) => {
        const key = `${a}|${b}|${session}`;
        return !seen.has(key) && seen.add(key);
      }),
      {},
    );
  }),
  strengthAs("mean of jobs' fits", (_, rows) => {
    const fits = [...grouped(rows, (r) => r.job).values()].map((own) => gammaElo(duelsOf(own), {}));
    const items = new Set(fits.flatMap((fit) => [...fit.keys()]));
    return new Map([...items].map((item) => [item, avg(fits.flatMap((fit) => fit.get(item) ?? []))]));
  }),
  strengthAs("a win and a loss against a stranger", (d) => {
    const extra = itemsOf(d).flatMap((a) => [1, 0].map((share) => ({ a, b: "zz", share, session: 0 })));
    const all = gammaElo([...d, ...extra], {});
    all.delete("zz");
    return all;
  }),
];
