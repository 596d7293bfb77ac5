import { mapped, pairs, type Algorithm } from "../bed/algorithm.js";
import { duelsOf, gammaElo, recordsOf, ridgeElo, type Duel } from "../bed/paired.js";
import { avg, grouped } from "../bed/scored.js";
import type { Row } from "../bed/study.js";

type Ratings = Map<string, number>;
const strengthAs = (
  name: string,
  names: readonly string[],
  of: (duels: Duel[], rows: readonly Row[]) => Ratings,
): Algorithm => ({
  ...{ name, names, kind: "bayesian_elo", families: pairs },
  of: (rows) => mapped(of(duelsOf(rows), rows), (value) => ({ value })),
});

const itemsOf = (duels: readonly Duel[]): string[] => [...new Set(duels.flatMap((d) => [d.a, d.b]))].sort();
const onElo = (items: readonly string[], x: readonly number[], unit = 400 / Math.LN10): Ratings =>
  new Map(items.map((item, i) => [item, 2000 + unit * (x[i] as number)]));
const logit = (p: number): number => Math.log(p / (1 - p));

/** Solves a symmetric system by plain elimination. */
function solved(matrix: number[][], right: number[]): number[] {
  const m = matrix.map((row, i) => [...row, right[i] as number]);
  for (let i = 0; i < m.length; i++) {
    const pivot = m[i] as number[];
    for (let j = 0; j < m.length; j++) {
      if (j === i) continue;
      const row = m[j] as number[];
      const factor = (row[i] as number) / (pivot[i] as number);
      for (let c = i; c < row.length; c++) row[c] = (row[c] as number) - factor * (pivot[c] as number);
    }
  }
  return m.map((row, i) => (row.at(-1) as number) / (row[i] as number));
}

/** Colley's ratings (Massey's with a prior): a linear system of comparisons. */
function linear(duels: readonly Duel[], diagonal: number): Ratings {
  const items = itemsOf(duels);
  const at = new Map(items.map((item, i) => [item, i]));
  const matrix = items.map((_, i) => items.map((__, j) => (i === j ? diagonal : 0)));
  const right = items.map(() => 0);
  const add = (i: number, j: number, by: number): void => {
    (matrix[i] as number[])[j] = (matrix[i]?.[j] as number) + by;
  };
  for (const { a, b, share } of duels) {
    const [i, j] = [at.get(a) as number, at.get(b) as number];
    for (const [x, y, s] of [
      [i, j, share],
      [j, i, 1 - share],
    ] as const) {
      add(x, x, 1);
      add(x, y, -1);
      right[x] = (right[x] as number) + s - 0.5;
    }
  }
  return onElo(items, solved(matrix, right), 400);
}

/** Maximum a posteriori with any link by plain gradient steps; `prior` is the precision of a normal prior. */
function byGradient(duels: readonly Duel[], prior: number, slope: (lead: number, share: number) => number): Ratings {
  const items = itemsOf(duels);
  const at = new Map(items.map((item, i) => [item, i]));
  const played = recordsOf(duels);
  let x = items.map(() => 0);
  for (let round = 0; round < 3000; round++) {
    const gradient = items.map((_, i) => -prior * (x[i] as number));
    for (const { a, b, share } of duels) {
      const [i, j] = [at.get(a) as number, at.get(b) as number];
      const g = slope((x[i] as number) - (x[j] as number), share);
      gradient[i] = (gradient[i] as number) + g;
      gradient[j] = (gradient[j] as number) - g;
    }
    const next = x.map(
      (v, i) => v + (gradient[i] as number) / (prior + 0.6 * (played.get(items[i] as string)?.n ?? 1)),
    );
    const moved = Math.max(...next.map((v, i) => Math.abs(v - (x[i] as number))));
    x = next;
    if (moved < 1e-9) break;
  }
  return onElo(items, x);
}
const logistic = (lead: number): number => 1 / (1 + Math.exp(-lead));
const byShares =
  (of: (p: number, n: number) => number): ((duels: Duel[]) => Ratings) =>
  (duels) =>
    new Map([...recordsOf(duels)].map(([item, r]) => [item, of((r.wins + r.ties / 2) / r.n, r.n)]));

const planted: readonly Algorithm[] = [
  strengthAs("shape 3, anchor 1000", ["shape", "anchor=1000"], (d) => gammaElo(d, { shape: 3, anchor: 1000 })),
  strengthAs("shape 10", ["shape"], (d) => gammaElo(d, { shape: 10 })),
  strengthAs("no ties, anchor 1500", ["ties=exclude", "anchor=1500"], (d) =>
    gammaElo(d, { ties: "exclude", anchor: 1500 }),
  ),
  strengthAs("scale 200", ["scale"], (d) => gammaElo(d, { scale: 200 })),
  strengthAs("natural logarithms", ["unit=natural"], (d) => gammaElo(d, { scale: Math.LN10, anchor: 0 })),
  strengthAs("scale 173.7, anchor 1500", ["scale", "anchor"], (d) => gammaElo(d, { scale: 173.7, anchor: 1500 })),
  strengthAs("stopped at 0.1 Elo, anchor 1200", ["stop_elo", "anchor"], (d) =>
    gammaElo(d, { stop: 0.1, anchor: 1200 }),
  ),
  strengthAs("shape 2, no ties", ["shape", "ties=exclude"], (d) => gammaElo(d, { shape: 2, ties: "exclude" })),
];

const others: readonly Algorithm[] = [
  strengthAs("Colley", [], (d) => linear(d, 2)),
  strengthAs("Massey with a ridge", [], (d) => linear(d, 0.5)),
  strengthAs(
    "logit of the share",
    [],
    byShares((p, n) => 2000 + (400 / Math.LN10) * logit((p * n + 0.5) / (n + 1))),
  ),
  strengthAs(
    "probit by a logistic, of the share",
    [],
    byShares((p, n) => 2000 + (400 / 1.702) * logit((p * n + 1) / (n + 2))),
  ),
  strengthAs(
    "share as Elo",
    [],
    byShares((p) => 1600 + 800 * p),
  ),
  strengthAs("Cauchy link", [], (d) => byGradient(d, 0.2, (lead, share) => share - 0.5 - Math.atan(lead) / Math.PI)),
  strengthAs("Rao and Kupper's ties", [], (d) =>
    byGradient(d, 0.2, (lead, share) => {
      const t = 0.4;
      if (share === 1) return 1 - logistic(lead - t);
      if (share === 0) return -(1 - logistic(-lead - t));
      return logistic(-lead - t) - logistic(lead - t);
    }),
  ),
  strengthAs("ties win for both", [], (d) =>
    gammaElo(
      d.flatMap((one) =>
        one.share === 0.5
          ? [
              { ...one, share: 1 },
              { ...one, share: 0 },
            ]
          : [one],
      ),
      {},
    ),
  ),
  strengthAs("ties a third", [], (d) =>
    gammaElo(
      d.map((one) => (one.share === 0.5 ? { ...one, share: 0.4 } : one)),
      {},
    ),
  ),
  strengthAs("each pair once, by majority", [], (d) => {
    const pairsOf = new Map<string, Duel[]>();
    for (const duel of d) pairsOf.set(`${duel.a}|${duel.b}`, [...(pairsOf.get(`${duel.a}|${duel.b}`) ?? []), duel]);
    return gammaElo(
      [...pairsOf.values()].map((own) => ({
        ...(own[0] as Duel),
        share: (Math.sign(avg(own.map((o) => o.share)) - 0.5) + 1) / 2,
      })),
      {},
    );
  }),
  strengthAs("a comparison against the mean for each", [], (d) => {
    const items = itemsOf(d);
    return gammaElo(
      [...d, ...items.map((a, i) => ({ a, b: items[(i + 1) % items.length] as string, share: 0.5, session: 0 }))],
      {},
    );
  }),
  strengthAs("centred on its own mean", [], (d) => {
    const own = gammaElo(d, { shape: 5 });
    const half = gammaElo(d.slice(0, Math.ceil(0.9 * d.length)), { shape: 5 });
    return new Map([...own].map(([item, v]) => [item, (v + (half.get(item) ?? 2000)) / 2]));
  }),
  strengthAs("mean of raters' fits", [], (_, rows) => {
    const fits = [...grouped(rows, (r) => r.rater % 4).values()].map((own) => gammaElo(duelsOf(own), {}));
    const items = new Set(fits.flatMap((fit) => [...fit.keys()]));
    return new Map([...items].map((item) => [item, avg(fits.flatMap((fit) => fit.get(item) ?? []))]));
  }),
  strengthAs("ridge 0.02", [], (d) => ridgeElo(d, 0.02)),
  strengthAs("ridge 0.5", [], (d) => ridgeElo(d, 0.5)),
  strengthAs("ridge 2, without ties", [], (d) =>
    ridgeElo(
      d.filter((one) => one.share !== 0.5),
      2,
    ),
  ),
  strengthAs("raters weigh by their number of comparisons", [], (d) => {
    const sessions = new Map<number, number>();
    for (const { session } of d) sessions.set(session, (sessions.get(session) ?? 0) + 1);
    return gammaElo(
      d.flatMap((one) => ((sessions.get(one.session) ?? 0) % 2 === 0 ? [one, one] : [one])),
      {},
    );
  }),
  strengthAs("Bayesian mean of two priors", [], (d) => {
    const [a, b] = [gammaElo(d, { shape: 2 }), gammaElo(d, { shape: 12 })];
    return new Map([...a].map(([item, v]) => [item, (v + (b.get(item) as number)) / 2]));
  }),
];

export const heldOutStrengths = [...planted, ...others];
