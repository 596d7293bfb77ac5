import { studentQuantile } from "../../../../src/emulator/scoring/quantiles.js";
import type { Kind } from "../../../../src/metrics/kinds.js";
import type { Random } from "../../../../src/platform/random.js";
import {
  avg,
  eloOf,
  gammaElo,
  grouped,
  mapped,
  partsOf,
  sd,
  sum,
  type Duel,
  type Ratings,
} from "./plain.js";
import {
  arenaPenalty,
  betweenItems,
  drawsOf,
  eloScale,
  errorsOf,
  quantilesOf,
  repeated,
  stoppedWorths,
  styledWorths,
  votesOf,
  worthsOf,
  type Vote,
} from "./votes.js";
import type { Algorithm, Family, Numbers, Published, Row } from "./world.js";

const pairs: readonly Family[] = ["pairwise"];
const graded: readonly Family[] = ["acr", "mushra"];
const approvals: readonly Family[] = ["approval"];
const z95 = 1.959963984540054;

const asValues = (ratings: Ratings): Published => mapped(ratings, (value) => ({ value }));
const nothing: Published = new Map();
const isWeighted = (votes: readonly Vote[]): boolean => votes.some(({ weight }) => weight !== 1);

const ratedAs = (
  kind: Kind,
  name: string,
  names: readonly string[],
  of: (votes: Vote[], random: Random) => Ratings,
): Algorithm => ({
  name,
  names,
  kind,
  families: pairs,
  of: (rows, random) => asValues(of(repeated(betweenItems(votesOf(rows))), random)),
});
const worthAs = (
  name: string,
  names: readonly string[],
  of: (votes: Vote[], random: Random) => Ratings,
): Algorithm => ratedAs("bradley_terry", name, names, of);

const onElo = (logs: Ratings): Ratings => mapped(logs, (log) => 1000 + eloScale * log);

const weightedAs = (
  kind: Kind,
  name: string,
  names: readonly string[],
  of: (duels: Duel[]) => Ratings,
  weight: (vote: Vote) => number = () => 1,
): Algorithm => ({
  name,
  names,
  kind,
  families: pairs,
  of(rows) {
    const votes = betweenItems(votesOf(rows));
    return isWeighted(votes) ? asValues(of(repeated(votes, weight))) : nothing;
  },
});
const ignored = ["weights=ignored"];
const squared = ({ weight }: Vote): number => weight * weight;

type Record_ = Readonly<Record<"wins" | "losses" | "ties" | "n", number>>;
/** Each item's record; of a vote of an item against itself both sides are its own. */
function recordsIn(votes: readonly Vote[]): Map<string, Record_> {
  const sides = votes.flatMap(({ a, b, share }) => [
    { item: a, share },
    { item: b, share: 1 - share },
  ]);
  const count = (own: typeof sides, share: number) => own.filter((s) => s.share === share).length;
  return mapped(
    grouped(sides, (s) => s.item),
    (own) => ({ wins: count(own, 1), losses: count(own, 0), ties: count(own, 0.5), n: own.length }),
  );
}
const chosen = (votes: readonly Vote[]): Ratings =>
  mapped(recordsIn(votes), ({ wins, n }) => (100 * wins) / n);

const itselfAs = (
  kind: "percent_chosen" | "win_loss",
  name: string,
  names: readonly string[],
  counted: (vote: Vote) => readonly Vote[],
): Algorithm => ({
  name,
  names,
  kind,
  families: pairs,
  of(rows) {
    const votes = votesOf(rows);
    if (betweenItems(votes).length === votes.length) return nothing;
    const records = recordsIn(votes.flatMap(counted));
    return kind === "win_loss"
      ? mapped(records, (own) => ({ ...own }))
      : mapped(records, ({ wins, n }) => ({ value: (100 * wins) / n, n }));
  },
});

const intervalAs = (
  name: string,
  names: readonly string[],
  of: (votes: Vote[], random: Random) => Published,
): Algorithm => ({
  name,
  names,
  kind: "bradley_terry",
  families: pairs,
  of(rows, random) {
    const votes = betweenItems(votesOf(rows));
    return isWeighted(votes) ? nothing : of(votes, random);
  },
});
const around = (value: number, half: number): Numbers => ({
  value,
  ci_low: value - half,
  ci_high: value + half,
});
const byErrors = (votes: Vote[], by: Parameters<typeof errorsOf>[1], factor: number): Published => {
  const errors = errorsOf(votes, by);
  return mapped(worthsOf(votes), (log, item) => around(log, factor * errors.get(item)!));
};
const ratings: { conventions: readonly Algorithm[]; others: readonly Algorithm[] } = {
  conventions: [
    worthAs("ridge", ["fit=ridge"], (v) => worthsOf(v, arenaPenalty)),
    worthAs("ridge around 1000", ["fit=ridge", "unit=elo"], (v) =>
      onElo(worthsOf(v, arenaPenalty)),
    ),
    worthAs("ridge stopped, around 1000", ["fit=ridge_stopped", "fit=ridge", "unit=elo"], (v) =>
      onElo(stoppedWorths(v, 8e-5)),
    ),
    worthAs("style", ["style=controlled"], (v) => styledWorths(v)),
    worthAs("style, around 1000", ["style=controlled", "unit=elo"], (v) => onElo(styledWorths(v))),
    worthAs(
      "style, pairs reweighted, around 1000",
      ["style=controlled_reweighted", "unit=elo"],
      (v) => onElo(styledWorths(v, { reweighted: true })),
    ),
    ...(["bradley_terry", "percent_chosen", "elo", "bayesian_elo"] as const).map((kind) =>
      weightedAs(
        kind,
        "weights ignored",
        ignored,
        {
          bradley_terry: (d: Duel[]) => worthsOf(d),
          percent_chosen: (d: Duel[]) => chosen(d as Vote[]),
          elo: (d: Duel[]) => eloOf(d),
          bayesian_elo: (d: Duel[]) => gammaElo(d),
        }[kind],
      ),
    ),
    weightedAs("bradley_terry", "weights ignored, around 1000", [...ignored, "unit=elo"], (d) =>
      onElo(worthsOf(d)),
    ),
    weightedAs("elo", "weights ignored, K 16", [...ignored, "k=16"], (d) => eloOf(d, { k: 16 })),
    itselfAs("percent_chosen", "votes against itself", ["itself=include"], (v) => [v]),
    itselfAs("win_loss", "votes against itself", ["itself=include"], (v) => [v]),
    ratedAs("elo", "K 4 from 1000, newest first", ["k=4", "order=reversed"], (v) =>
      eloOf(v.toReversed(), { k: 4, start: 1000 }),
    ),
  ],
  others: [
    worthAs("ridge, C = 1/6, around 1000", [], (v) => onElo(worthsOf(v, 6 * arenaPenalty))),
    worthAs("ridge, C = 6, around 1000", [], (v) => onElo(worthsOf(v, arenaPenalty / 6))),
    worthAs("ridge, each vote once, around 1000", [], (v) => onElo(worthsOf(v, 2 * arenaPenalty))),
    worthAs("ridge in natural logarithms, around 1000", [], (v) => onElo(worthsOf(v, 0.5))),
    worthAs("ridge stopped at 2e-3, around 1000", [], (v) => onElo(stoppedWorths(v, 2e-3))),
    worthAs("style as recorded, around 1000", [], (v) =>
      onElo(styledWorths(v, { standardised: false })),
    ),
    worthAs("style without a penalty, around 1000", [], (v) =>
      onElo(styledWorths(v, { penalty: 0 })),
    ),
    worthAs("style of the next vote, around 1000", [], (v) => onElo(styledWorths(v, { late: 1 }))),
    weightedAs("bradley_terry", "weights squared", [], (d) => worthsOf(d), squared),
    weightedAs("percent_chosen", "weights squared", [], (d) => chosen(d as Vote[]), squared),
    weightedAs("elo", "weights squared", [], (d) => eloOf(d), squared),
    weightedAs("bayesian_elo", "weights squared", [], (d) => gammaElo(d), squared),
    itselfAs("percent_chosen", "votes against itself twice", [], (v) =>
      v.a === v.b ? [v, v] : [v],
    ),
    ratedAs("elo", "K 4 from 1000, halves exchanged", [], (v) =>
      eloOf([...v.slice(v.length >> 1), ...v.slice(0, v.length >> 1)], { k: 4, start: 1000 }),
    ),
  ],
};

const worthIntervals: { conventions: readonly Algorithm[]; others: readonly Algorithm[] } = {
  conventions: [
    intervalAs("90 %", ["level=90"], (v) => byErrors(v, "votes", 1.6448536269514722)),
    intervalAs("clustered by rater", ["errors=clustered"], (v) => byErrors(v, "raters", z95)),
    intervalAs("around 1000", ["unit=elo"], (v) =>
      mapped(byErrors(v, "votes", z95), (own) =>
        Object.fromEntries(Object.entries(own).map(([f, x]) => [f, 1000 + eloScale * x])),
      ),
    ),
  ],
  others: [
    intervalAs("errors of the model", [], (v) => byErrors(v, "model", z95)),
    intervalAs("97.5 %", [], (v) => byErrors(v, "votes", 2.241402727604947)),
    intervalAs("two errors", [], (v) => byErrors(v, "votes", 2)),
    intervalAs("1.96 sd of 100 draws", [], (v, random) => {
      const draws = drawsOf(v, 100, random, (own) => worthsOf(own));
      return mapped(worthsOf(v), (log, item) =>
        around(log, z95 * sd(draws.map((one) => one.get(item) ?? NaN))),
      );
    }),
  ],
};

type HalfOf = (xs: number[], own: readonly Row[], random: Random) => number;
const meanAs = (
  name: string,
  names: readonly string[],
  half: HalfOf,
  shown: "half_width" | "ends",
): Algorithm => ({
  name: `${name}, ${shown}`,
  names,
  kind: "mean",
  families: graded,
  of: (rows, random) =>
    mapped(
      grouped(rows, (r) => r.item),
      (own): Numbers => {
        const xs = own.map((r) => r.score);
        const value = avg(xs);
        const by = half(xs, own, random);
        return shown === "ends" ? around(value, by) : { value, n: xs.length, half_width: by };
      },
    ),
});
const bothWays = (name: string, names: readonly string[], half: HalfOf): Algorithm[] =>
  (["half_width", "ends"] as const).map((shown) => meanAs(name, names, half, shown));
const errorOf = (xs: readonly number[], less = 1): number => sd(xs, less) / Math.sqrt(xs.length);
const t95 = (n: number): number => studentQuantile(0.975, n - 1);
function clusteredError(xs: number[], own: readonly Row[], isCorrected: boolean) {
  const centre = avg(xs);
  const totals = partsOf(own, (r) => r.rater).map((of) => sum(of.map((r) => r.score - centre)));
  const raters = totals.length;
  const few = isCorrected ? raters / (raters - 1) : 1;
  return { error: Math.sqrt(few * sum(totals.map((t) => t * t))) / xs.length, raters };
}
const meansOfDraws = (xs: number[], draws: number, random: Random): number[] =>
  Array.from({ length: draws }, () => avg(xs.map(() => xs[Math.floor(random() * xs.length)]!)));
const drawnAs = (draws: number): Algorithm => ({
  name: `${draws} draws`,
  names: [],
  kind: "mean",
  families: graded,
  of: (rows, random) =>
    mapped(
      grouped(rows, (r) => r.item),
      (own): Numbers => {
        const xs = own.map((r) => r.score);
        const [ci_low, ci_high] = quantilesOf(meansOfDraws(xs, draws, random));
        return { value: avg(xs), ci_low, ci_high };
      },
    ),
});

const meanIntervals = {
  definitions: bothWays("mean", [], (xs) => errorOf(xs) * t95(xs.length)),
  conventions: [
    ...bothWays("normal", ["interval=normal"], (xs) => errorOf(xs) * z95),
    ...bothWays("1.96", ["interval=1.96"], (xs) => errorOf(xs) * 1.96),
    ...bothWays("sd by n", ["sd=n"], (xs) => errorOf(xs, 0) * t95(xs.length)),
    ...bothWays("90 %", ["level=90"], (xs) => errorOf(xs) * studentQuantile(0.95, xs.length - 1)),
    ...bothWays("clustered by rater", ["errors=clustered"], (xs, own) => {
      const { error, raters } = clusteredError(xs, own, true);
      return error * t95(raters);
    }),
  ],
  others: [
    drawnAs(1000),
    drawnAs(100),
    ...bothWays(
      "1.96 sd of 100 draws",
      [],
      (xs, _, random) => 1.96 * sd(meansOfDraws(xs, 100, random)),
    ),
    ...bothWays("two errors", [], (xs) => errorOf(xs) * 2),
    ...bothWays("one error", [], (xs) => errorOf(xs)),
    ...bothWays("97.5 %", [], (xs) => errorOf(xs) * studentQuantile(0.9875, xs.length - 1)),
    ...bothWays("t by raters", [], (xs, own) => {
      const raters = new Set(own.map((r) => r.rater)).size;
      return errorOf(xs) * t95(raters);
    }),
    ...bothWays("from mean absolute differences", [], (xs) => {
      const centre = avg(xs);
      return (
        (1.2533 * avg(xs.map((x) => Math.abs(x - centre))) * t95(xs.length)) / Math.sqrt(xs.length)
      );
    }),
    ...bothWays(
      "an error that is 5 % off by chance",
      [],
      (xs, _, random) => errorOf(xs) * t95(xs.length) * (0.95 + 0.1 * random()),
    ),
  ],
};

type EndsOf = (share: number, n: number, random: Random) => readonly [number, number];
const shareAs = (name: string, names: readonly string[], ends: EndsOf): Algorithm[] => [
  {
    name,
    names,
    kind: "percent_chosen",
    families: pairs,
    of(rows, random) {
      const votes = betweenItems(votesOf(rows));
      if (isWeighted(votes)) return nothing;
      return mapped(recordsIn(votes), ({ wins, n }): Numbers => {
        const [low, high] = ends(wins / n, n, random);
        return { value: (100 * wins) / n, ci_low: 100 * low, ci_high: 100 * high };
      });
    },
  },
  {
    name,
    names,
    kind: "percent_approved",
    families: approvals,
    of: (rows, random) =>
      mapped(
        grouped(rows, (r) => r.item),
        (own): Numbers => {
          const share = own.filter((r) => r.score > 0).length / own.length;
          const [low, high] = ends(share, own.length, random);
          return { value: 100 * share, ci_low: 100 * low, ci_high: 100 * high };
        },
      ),
  },
];
const wilson =
  (z: number): EndsOf =>
  (p, n) => {
    const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
    const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
    return [middle - half, middle + half];
  };
const wald =
  (z: number, add = 0): EndsOf =>
  (share, own) => {
    const n = own + 2 * add;
    const p = (share * own + add) / n;
    const half = z * Math.sqrt((p * (1 - p)) / n);
    return [p - half, p + half];
  };
const shareIntervals = {
  definitions: shareAs("share and interval", [], wilson(z95)),
  conventions: [
    ...shareAs("Wald's", ["interval=wald"], wald(z95)),
    ...shareAs("Wilson's of 90 %", ["level=90"], wilson(1.6448536269514722)),
    ...shareAs("Agresti and Coull's", ["interval=agresti_coull"], wald(z95, (z95 * z95) / 2)),
    ...shareAs("Wald's of 90 %", ["interval=wald", "level=90"], wald(1.6448536269514722)),
    ...shareAs("Wilson's with a continuity correction", ["interval=wilsoncc"], (p, n) => {
      const [low, high] = [p - 1 / (2 * n), p + 1 / (2 * n)];
      return [
        low > 0 ? wilson(z95)(low, n, () => 0)[0] : 0,
        high < 1 ? wilson(z95)(high, n, () => 0)[1] : 1,
      ];
    }),
  ],
  others: [
    ...shareAs("two errors", [], wald(2)),
    ...shareAs("Wald's of 97.5 %", [], wald(2.241402727604947)),
    ...shareAs("Wilson's, half a vote wider", [], (p, n) => {
      const [low, high] = wilson(z95)(p, n, () => 0);
      return [low - 1 / (2 * n), high + 1 / (2 * n)];
    }),
  ],
};

export const arenas = {
  definitions: [
    ratedAs("elo", "elo", [], (v) => eloOf(v)),
    worthAs("bradley_terry", [], (v) => worthsOf(v)),
    ratedAs("percent_chosen", "percent_chosen", [], (v) => chosen(v)),
    intervalAs("bradley_terry and interval", [], (v) => byErrors(v, "votes", z95)),
    ...meanIntervals.definitions,
    ...shareIntervals.definitions,
  ],
  conventions: [
    ...ratings.conventions,
    ...worthIntervals.conventions,
    ...meanIntervals.conventions,
    ...shareIntervals.conventions,
  ],
  others: [
    ...ratings.others,
    ...worthIntervals.others,
    ...meanIntervals.others,
    ...shareIntervals.others,
  ],
} satisfies Record<string, readonly Algorithm[]>;
