import type { Random } from "../../../../src/platform/random.js";
import type { Outcomes } from "../../../../src/emulator/scoring/comparisons.js";
import { createdAt, type Algorithm, type Family, type Numbers, type Row } from "./world.js";
import {
  avg,
  davidsonElo,
  duelOf,
  duelsOf,
  eloBy,
  eloOf,
  eloScale,
  gainsOf,
  gammaElo,
  grouped,
  itemsOf,
  mapped,
  medianOf,
  partsOf,
  recordsOf,
  sidesOf,
  sum,
  worthsOf,
  type Duel,
  type Ratings,
  type Side,
} from "./plain.js";

const pairs: readonly Family[] = ["pairwise"];

const shareAs = (
  name: string,
  names: readonly string[],
  value: (own: Outcomes, sides: Side[], all: ReadonlyMap<string, Outcomes>) => number,
  n: (own: Outcomes) => number = (own) => own.n,
): Algorithm => ({
  name,
  names,
  kind: "percent_chosen",
  families: pairs,
  of(rows) {
    const duels = duelsOf(rows);
    const all = recordsOf(duels);
    return mapped(all, (own, item) => ({
      value: 100 * value(own, sidesOf(duels, item), all),
      n: n(own),
    }));
  },
});
const rankedAs = (
  name: string,
  names: readonly string[],
  isCounted: (duel: Duel) => boolean,
): Algorithm => ({
  name,
  names,
  kind: "percent_chosen",
  families: ["mushra"],
  of(rows) {
    const duels = partsOf(rows, (r) => r.slate).flatMap((slate) =>
      slate.flatMap((x, i) => slate.slice(i + 1).map((y) => duelOf(x, y))),
    );
    return mapped(recordsOf(duels.filter(isCounted)), (r) => ({
      value: (100 * r.wins) / r.n,
      n: r.n,
    }));
  },
});
const won = (sides: readonly Side[]): number =>
  sides.length === 0 ? NaN : sides.filter((s) => s.share === 1).length / sides.length;
const mainShare = (all: ReadonlyMap<string, Outcomes>, item: string): number =>
  all.get(item)!.wins / all.get(item)!.n;
const decided = (r: Outcomes): number => r.wins + r.losses;

const shareConventions: readonly Algorithm[] = [
  shareAs("half ties", ["ties=half"], (r) => (r.wins + r.ties / 2) / r.n),
  shareAs("no ties", ["ties=exclude"], (r) => r.wins / decided(r), decided),
  shareAs("fractions", ["scale=fraction"], (r) => r.wins / r.n / 100),
  shareAs("share of losses", ["share=losses"], (r) => r.losses / r.n),
  shareAs("over n - 1", ["denominator=n-1"], (r) => r.wins / (r.n - 1)),
  shareAs(
    "half ties, fractions",
    ["ties=half", "scale=fraction"],
    (r) => (r.wins + r.ties / 2) / r.n / 100,
  ),
  shareAs(
    "no ties, losses",
    ["ties=exclude", "share=losses"],
    (r) => r.losses / decided(r),
    decided,
  ),
  shareAs(
    "half ties, over n - 1",
    ["ties=half", "denominator=n-1"],
    (r) => (r.wins + r.ties / 2) / (r.n - 1),
  ),
  shareAs("100 less the share", [], (r) => 1 - r.wins / r.n),
  shareAs(
    "wins per decision, n with ties",
    ["ties=exclude"],
    (r) => r.wins / Math.max(1, decided(r)),
  ),
  shareAs("mean of the shares against each opponent", ["share=opponents"], (_, sides) =>
    avg(partsOf(sides, (s) => s.other).map(won)),
  ),
  {
    name: "mean chance to win by Bradley-Terry",
    names: ["share=bradley_terry"],
    kind: "percent_chosen",
    families: pairs,
    of(rows) {
      const duels = duelsOf(rows);
      const logs = worthsOf(duels);
      const records = recordsOf(duels);
      return mapped(logs, (own, item): Numbers => {
        const others = [...logs].filter(([other]) => other !== item);
        return {
          value: 100 * avg(others.map(([, log]) => 1 / (1 + Math.exp(log - own)))),
          n: records.get(item)!.n,
        };
      });
    },
  },
  shareAs("wins less losses, of n", ["share=net"], (r) => (r.wins - r.losses) / r.n),
  shareAs("wins less losses", ["share=margin"], (r) => (r.wins - r.losses) / 100),
  rankedAs("all pairs of a slate", ["pairs=all"], () => true),
  rankedAs("all pairs that are not tied", ["pairs=all", "ties=exclude"], (d) => d.share !== 0.5),
];

const otherShares: readonly Algorithm[] = [
  shareAs("Tukey's (w + 1/3)/(n + 2/3)", [], (r) => (r.wins + 1 / 3) / (r.n + 2 / 3)),
  shareAs("opponents weigh by their share", [], (_, sides, all) => {
    const weights = sides.map((s) => 0.2 + mainShare(all, s.other));
    return sum(sides.map((s, i) => (s.share === 1 ? weights[i]! : 0))) / sum(weights);
  }),
  shareAs("against the better half", [], (_, sides, all) => {
    const middle = medianOf([...all.keys()].map((item) => mainShare(all, item)));
    return won(sides.filter((s) => mainShare(all, s.other) >= middle));
  }),
  shareAs("without the most frequent opponent", [], (_, sides) => {
    const parts = partsOf(sides, (s) => s.other).sort((x, y) => y.length - x.length);
    return won(parts.length > 1 ? parts.slice(1).flat() : sides);
  }),
  shareAs("opponents beaten by most", [], (_, sides) =>
    avg(
      partsOf(sides, (s) => s.other).map((own) => Number(sum(own.map((s) => s.share - 0.5)) > 0)),
    ),
  ),
  shareAs("the last 20 comparisons", [], (_, sides) => won(sides.slice(-20))),
  shareAs("the newer half", [], (_, sides) => won(sides.slice(sides.length >> 1))),
  shareAs("median over sessions", [], (_, sides) =>
    medianOf(partsOf(sides, (s) => s.session).map(won)),
  ),
  shareAs("wins by margin of sessions", [], (_, sides) =>
    avg(partsOf(sides, (s) => s.session).map((own) => avg(own.map((s) => s.share)) ** 2)),
  ),
  shareAs("ties by the opponent's share", [], (_, sides, all) =>
    avg(sides.map((s) => (s.share === 0.5 ? mainShare(all, s.other) : s.share))),
  ),
];

type Rated = (duels: Duel[], rows: readonly Row[], random: Random) => Ratings;
const ratedAs =
  (kind: "elo" | "bayesian_elo") =>
  (name: string, names: readonly string[], of: Rated): Algorithm => ({
    name,
    names,
    kind,
    families: pairs,
    of: (rows, random) => mapped(of(duelsOf(rows), rows, random), (value) => ({ value })),
  });
const eloAs = ratedAs("elo");
const strengthAs = ratedAs("bayesian_elo");

const asCreated = (duels: readonly Duel[]): Duel[] =>
  duels.toSorted((x, y) => createdAt(x.session) - createdAt(y.session) || x.session - y.session);

function eloBySession(duels: readonly Duel[]): Ratings {
  const at: Ratings = new Map(itemsOf(duels).map((item) => [item, 2000]));
  for (const own of partsOf(duels, (d) => d.session)) {
    const before = new Map(at);
    for (const { a, b, share } of own) {
      const [up, down] = gainsOf(32)(before.get(a)! - before.get(b)!, share, 0);
      at.set(a, at.get(a)! + up);
      at.set(b, at.get(b)! + down);
    }
  }
  return at;
}

const fitted = (duels: readonly Duel[], level: number, penalty?: number): Ratings =>
  mapped(worthsOf(duels, penalty), (log) => level + eloScale * log);
const ridged = (duels: readonly Duel[], penalty: number): Ratings => fitted(duels, 2000, penalty);

const eloConventions: readonly Algorithm[] = [
  eloAs("K 16", ["k=16"], (d) => eloOf(d, { k: 16 })),
  eloAs("newest first", ["order=reversed"], (d) => eloOf(d.reverse())),
  eloAs("K 25", ["k"], (d) => eloOf(d, { k: 25 })),
  eloAs("K 64, start 1480", [], (d) => eloOf(d, { k: 64, start: 1480 })),
  eloAs("scale 200", [], (d) => eloOf(d, { scale: 200 })),
  eloAs("natural base", [], (d) => eloOf(d, { scale: 400 * Math.LN10, start: 1500 })),
  eloAs("sessions as created", ["order=created"], (d) => eloOf(asCreated(d))),
  eloAs("sessions as created, K 16", ["order=created", "k=16"], (d) =>
    eloOf(asCreated(d), { k: 16 }),
  ),
  eloAs("ties lost by the first", ["tie_value=0"], (d) => eloOf(d, { tie: 0 })),
  eloAs("ties won by the first", ["tie_value=1"], (d) => eloOf(d, { tie: 1 })),
  eloAs("ties skipped, K 24", ["ties=skip", "k=24"], (d) => eloOf(d, { skipTies: true, k: 24 })),
  eloAs("a Bradley-Terry fit", ["fit=likelihood"], (d) => fitted(d, 1000)),
  eloAs("1.15 times as wide, 30 higher", [], (d) => mapped(eloOf(d), (v) => 1.15 * v + 30)),
  eloAs("once per session", ["update=session_batch"], eloBySession),
];

const expected = (lead: number): number => 1 / (1 + 10 ** (-lead / 400));
const mixed = (x: Ratings, y: Ratings, share: number): Ratings =>
  mapped(x, (v, item) => (1 - share) * v + share * (y.get(item) ?? v));

const otherElos: readonly Algorithm[] = [
  eloAs("ratings fade by 1 % a session", [], (d) => {
    return eloBy(d, gainsOf(32), { afterSession: (rating) => 2000 + 0.99 * (rating - 2000) }).at;
  }),
  eloAs("a session's first comparison counts twice", [], (d) => {
    return eloBy(d, (lead, s, game) => gainsOf(game === 0 ? 64 : 32)(lead, s, game)).at;
  }),
  eloAs("losers lose half", [], (d) => {
    const ofLoser = (gain: number, share: number): number => gain * (share < 0.5 ? 0.5 : 1);
    const gains = gainsOf(32);
    return eloBy(d, (lead, s, game) => [
      ofLoser(gains(lead, s, game)[0], s),
      ofLoser(gains(lead, s, game)[1], 1 - s),
    ]).at;
  }),
  eloAs("mean of the last 60 ratings", [], (d) => mapped(eloBy(d, gainsOf(32)).path, avg)),
  eloAs("K by the gap", [], (d) => {
    return eloBy(d, (lead, s, game) =>
      gainsOf(16 + 32 * Math.abs(expected(lead) - 0.5))(lead, s, game),
    ).at;
  }),
  eloAs("sessions in pairs exchanged", [], (d) =>
    eloOf(d.toSorted((x, y) => (x.session ^ 1) - (y.session ^ 1))),
  ),
  eloAs("the first 70 % only", [], (d) => eloOf(d.slice(0, Math.ceil(0.7 * d.length)))),
  eloAs("K 32 and K 8, mean", [], (d) => mixed(eloOf(d), eloOf(d, { k: 8 }), 0.5)),
  eloAs("ridge 0.3 as Elo", [], (d) => ridged(d, 0.3)),
];

const strengthConventions: readonly Algorithm[] = [
  strengthAs("shape 2", ["shape=2"], (d) => gammaElo(d, { shape: 2, rate: 0.05 })),
  strengthAs("stopped at 1 Elo", ["stop_elo=1"], (d) => gammaElo(d, { stop: 1 })),
  strengthAs("stopped after 20 rounds", ["stop_elo"], (d) => gammaElo(d, { rounds: 20 })),
  strengthAs("stopped at 1e-3 Elo", ["stop_elo"], (d) => gammaElo(d, { stop: 1e-3 })),
  strengthAs("Davidson", ["ties=davidson"], (d) => davidsonElo(d)),
  strengthAs("shape 3, anchor 1000", ["shape"], (d) => gammaElo(d, { shape: 3, anchor: 1000 })),
  strengthAs("shape 10", ["shape"], (d) => gammaElo(d, { shape: 10 })),
  strengthAs("no prior", ["fit=likelihood"], (d) => fitted(d, 2000)),
  strengthAs("worths that sum to 1", ["fit=likelihood", "unit=worth_sum"], (d) => {
    const all = mapped(worthsOf(d), Math.exp);
    return mapped(all, (worth) => worth / sum([...all.values()]));
  }),
  strengthAs("worths around 1", ["fit=likelihood", "unit=worth_mean"], (d) =>
    mapped(worthsOf(d), Math.exp),
  ),
  strengthAs("scale 173.7, anchor 1500", [], (d) => gammaElo(d, { scale: 173.7, anchor: 1500 })),
  strengthAs("shape 2, no ties", ["shape", "ties=exclude"], (d) =>
    gammaElo(d, { shape: 2, ties: "exclude" }),
  ),
];

/** Stationary shares of a walk from losers to winners. */
export function rankCentrality(duels: readonly Duel[]): Ratings {
  const items = itemsOf(duels);
  const index = new Map(items.map((item, i) => [item, i]));
  const flow = items.map(() => items.map(() => 0.5 / items.length));
  for (const { a, b, share } of duels) {
    const [i, j] = [index.get(a)!, index.get(b)!];
    flow[i]![j]! += 1 - share;
    flow[j]![i]! += share;
  }
  const most = Math.max(...flow.map(sum));
  const stays = flow.map((row, i) => 1 - sum(row) / most + row[i]! / most);
  let at = items.map(() => 1 / items.length);
  for (let round = 0; round < 2000; round++)
    at = items.map((_, i) =>
      sum(at.map((p, j) => (j === i ? p * stays[i]! : (p * flow[j]![i]!) / most))),
    );
  return new Map(items.map((item, i) => [item, 2000 + 400 * Math.log10(at[i]! * items.length)]));
}

const otherStrengths: readonly Algorithm[] = [
  strengthAs("rank centrality", [], rankCentrality),
  strengthAs("Bayesian and online, mean", [], (d) => mixed(gammaElo(d), eloOf(d), 0.5)),
  strengthAs("ridge 0.05 without ties", [], (d) =>
    ridged(
      d.filter((one) => one.share !== 0.5),
      0.05,
    ),
  ),
  strengthAs("the newer half", [], (d) => gammaElo(d.slice(d.length >> 1))),
  strengthAs("ten bootstrap draws, mean", [], (d, _, random) => {
    const draws = Array.from({ length: 10 }, () =>
      gammaElo(d.map(() => d[Math.floor(random() * d.length)]!)),
    );
    return new Map(
      itemsOf(d).map((item) => [item, avg(draws.map((one) => one.get(item) ?? 2000))]),
    );
  }),
  strengthAs("each session once a pair", [], (d) => {
    const first = [...grouped(d, ({ a, b, session }) => `${a}|${b}|${session}`).values()].map(
      (own) => own[0]!,
    );
    return gammaElo(first);
  }),
  strengthAs("mean of jobs' fits", [], (_, rows) => {
    const fits = partsOf(rows, (r) => r.job).map((own) => gammaElo(duelsOf(own)));
    const items = new Set(fits.flatMap((fit) => [...fit.keys()]));
    return new Map(
      [...items].map((item) => [item, avg(fits.flatMap((fit) => fit.get(item) ?? []))]),
    );
  }),
  strengthAs("a win and a loss against a stranger", [], (d) => {
    const extra = itemsOf(d).flatMap((a) =>
      [1, 0].map((share) => ({ a, b: "zz", share, session: 0 })),
    );
    const all = gammaElo([...d, ...extra]);
    all.delete("zz");
    return all;
  }),
];

export const paired = {
  definitions: [
    shareAs("percent_chosen", [], (r) => r.wins / r.n),
    {
      name: "win_loss",
      names: [],
      kind: "win_loss",
      families: pairs,
      of: (rows) => mapped(recordsOf(duelsOf(rows)), (r) => ({ ...r })),
    },
    eloAs("elo", [], (d) => eloOf(d)),
    strengthAs("bayesian_elo", [], (d) => gammaElo(d)),
  ],
  conventions: [...shareConventions, ...eloConventions, ...strengthConventions],
  others: [...otherShares, ...otherElos, ...otherStrengths],
} satisfies Record<string, readonly Algorithm[]>;
