import { mapped, pairs, type Algorithm } from "../bed/algorithm.js";
import { duelsOf, eloOf, gammaElo, type Duel } from "../bed/paired.js";
import { avg } from "../bed/scored.js";
import { createdAt, type Row } from "../bed/study.js";

type Ratings = Map<string, number>;
const eloAs = (
  name: string,
  names: readonly string[],
  of: (duels: Duel[], rows: readonly Row[], random: () => number) => Ratings,
): Algorithm => ({
  ...{ name, names, kind: "elo", families: pairs },
  of: (rows, _, random) => mapped(of(duelsOf(rows), rows, random), (value) => ({ value })),
});

interface Step {
  readonly k: number;
  /** What a's result counts, from what it was and what was expected. */
  readonly result: number;
}

/** Elo with a rule of its own for each comparison; both sides change by as much. */
function eloBy(
  duels: readonly Duel[],
  rule: (duel: Duel, expected: number, at: number) => Step,
  { start = 2000, advantage = 0, whole = false, floor = -Infinity } = {},
): Ratings {
  const at: Ratings = new Map();
  duels.forEach((duel, i) => {
    for (const item of [duel.a, duel.b]) if (!at.has(item)) at.set(item, start);
    const [a, b] = [at.get(duel.a) as number, at.get(duel.b) as number];
    const expected = 1 / (1 + 10 ** ((b - a - advantage) / 400));
    const { k, result } = rule(duel, expected, i);
    const change = k * (result - expected);
    const shown = whole ? Math.round(change) : change;
    at.set(duel.a, Math.max(floor, a + shown));
    at.set(duel.b, Math.max(floor, b - shown));
  });
  return at;
}
const bySession = (duels: readonly Duel[]): Map<number, Duel[]> => {
  const found = new Map<number, Duel[]>();
  for (const duel of duels) found.set(duel.session, [...(found.get(duel.session) ?? []), duel]);
  return found;
};
const meanRatings = (all: readonly Ratings[]): Ratings =>
  new Map([...(all[0] as Ratings).keys()].map((item) => [item, avg(all.map((one) => one.get(item) ?? 2000))]));

/** Glicko's rating, with a deviation that shrinks with each comparison. */
function glicko(duels: readonly Duel[]): Ratings {
  const q = Math.LN10 / 400;
  const at = new Map<string, { r: number; rd: number }>();
  const g = (rd: number): number => 1 / Math.sqrt(1 + (3 * q * q * rd * rd) / Math.PI ** 2);
  for (const { a, b, share } of duels) {
    const of = (item: string) => at.get(item) ?? { r: 1500, rd: 350 };
    const [x, y] = [of(a), of(b)];
    const updated = (own: typeof x, other: typeof x, s: number) => {
      const e = 1 / (1 + 10 ** ((-g(other.rd) * (own.r - other.r)) / 400));
      const weight = 1 / own.rd ** 2 + q * q * g(other.rd) ** 2 * e * (1 - e);
      return { r: own.r + ((q * g(other.rd)) / weight) * (s - e), rd: Math.sqrt(1 / weight) };
    };
    at.set(a, updated(x, y, share));
    at.set(b, updated(y, x, 1 - share));
  }
  return new Map([...at].map(([item, { r }]) => [item, r]));
}

/** TrueSkill without ties, on Elo's scale. */
function trueSkill(duels: readonly Duel[]): Ratings {
  const at = new Map<string, { mu: number; s: number }>();
  const pdf = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const cdf = (x: number): number => 1 / (1 + Math.exp(-1.702 * x));
  for (const { a, b, share } of duels.filter((d) => d.share !== 0.5)) {
    const of = (item: string) => at.get(item) ?? { mu: 25, s: 25 / 3 };
    const [winner, loser] = share === 1 ? [a, b] : [b, a];
    const [w, l] = [of(winner), of(loser)];
    const c = Math.sqrt(2 * (25 / 6) ** 2 + w.s ** 2 + l.s ** 2);
    const t = (w.mu - l.mu) / c;
    const v = pdf(t) / cdf(t);
    const shrink = v * (v + t);
    at.set(winner, {
      mu: w.mu + (w.s ** 2 / c) * v,
      s: w.s * Math.sqrt(Math.max(0.01, 1 - (w.s ** 2 / c ** 2) * shrink)),
    });
    at.set(loser, {
      mu: l.mu - (l.s ** 2 / c) * v,
      s: l.s * Math.sqrt(Math.max(0.01, 1 - (l.s ** 2 / c ** 2) * shrink)),
    });
  }
  return new Map([...at].map(([item, { mu }]) => [item, 2000 + 40 * (mu - 25)]));
}

const plain =
  (k: number) =>
  ({ share }: Duel) => ({ k, result: share });
const lastRow = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((x, y) => createdAt(x.session) - createdAt(y.session) || x.session - y.session || x.slate - y.slate);

const planted: readonly Algorithm[] = [
  eloAs("K 20, start 1200", ["k=20", "start=1200"], (duels) => eloOf(duels, { k: 20, start: 1200 })),
  eloAs("K 25", ["k"], (duels) => eloOf(duels, { k: 25 })),
  eloAs("K 64, start 1480", ["k", "start"], (duels) => eloOf(duels, { k: 64, start: 1480 })),
  eloAs("scale 200", ["scale", "k"], (duels) => eloOf(duels, { scale: 200 })),
  eloAs("natural base", ["scale", "k", "start"], (duels) => eloOf(duels, { scale: 400 * Math.LN10, start: 1500 })),
  eloAs("sessions as created", ["order=created"], (_, rows) => eloOf(duelsOf(lastRow(rows)), {})),
  eloAs("sessions as created, K 16", ["order=created", "k=16"], (_, rows) => eloOf(duelsOf(lastRow(rows)), { k: 16 })),
  eloAs("ties lost by the first", ["tie_value=0"], (duels) => eloOf(duels, { tie: 0 })),
  eloAs("ties won by the first", ["tie_value=1"], (duels) => eloOf(duels, { tie: 1 })),
  eloAs("ties skipped, K 24", ["ties=skip", "k=24"], (duels) => eloOf(duels, { skipTies: true, k: 24 })),
  eloAs("once per session", ["update=session_batch"], (duels) => {
    const at: Ratings = new Map();
    for (const own of bySession(duels).values()) {
      const before = new Map(at);
      for (const { a, b, share } of own) {
        for (const item of [a, b]) if (!at.has(item)) at.set(item, 2000);
        const lead = (before.get(b) ?? 2000) - (before.get(a) ?? 2000);
        const change = 32 * (share - 1 / (1 + 10 ** (lead / 400)));
        at.set(a, (at.get(a) as number) + change);
        at.set(b, (at.get(b) as number) - change);
      }
    }
    return at;
  }),
];

const others: readonly Algorithm[] = [
  eloAs("Glicko", [], glicko),
  eloAs("TrueSkill", [], trueSkill),
  eloAs("K 32 then 16 from the 20th on", [], (duels) =>
    eloBy(duels, ({ share }, _, i) => ({ k: i < 20 ? 32 : 16, result: share })),
  ),
  eloAs("K falls as 1/game", [], (duels) => eloOf(duels, { k: (game) => 400 / (10 + game) })),
  eloAs("K 40 until a rating of 2100", [], (duels) =>
    eloBy(duels, ({ share }, e) => ({ k: Math.abs(e - 0.5) < 0.2 ? 40 : 20, result: share })),
  ),
  eloAs("twice over", [], (duels) => eloOf([...duels, ...duels], {})),
  eloAs("forwards and backwards, mean", [], (duels) =>
    meanRatings([eloOf(duels, {}), eloOf([...duels].reverse(), {})]),
  ),
  eloAs("advantage of the first", [], (duels) => eloBy(duels, plain(32), { advantage: 35 })),
  eloAs("whole steps", [], (duels) => eloBy(duels, plain(32), { whole: true })),
  eloAs("never below 1980", [], (duels) => eloBy(duels, plain(32), { floor: 1980 })),
  eloAs("mean of each session's Elo", [], (duels) => {
    const all = [...bySession(duels).values()].map((own) => eloOf(own, {}));
    const items = new Set(all.flatMap((one) => [...one.keys()]));
    return new Map(
      [...items].map((item) => [item, avg(all.flatMap((one) => (one.has(item) ? [one.get(item) as number] : [])))]),
    );
  }),
  eloAs("ties count 0.6", [], (duels) =>
    eloBy(duels, ({ share }, e) => ({ k: 32, result: share === 0.5 ? 0.5 + 0.2 * (e - 0.5) : share })),
  ),
  eloAs("every second comparison with K 16", [], (duels) =>
    eloBy(duels, ({ share }, _, i) => ({ k: i % 2 ? 32 : 16, result: share })),
  ),
  eloAs("linear expectation", [], (duels) => {
    const at: Ratings = new Map();
    for (const { a, b, share } of duels) {
      const [x, y] = [at.get(a) ?? 2000, at.get(b) ?? 2000];
      const expected = Math.min(1, Math.max(0, 0.5 + (x - y) / 800));
      at.set(a, x + 32 * (share - expected));
      at.set(b, y - 32 * (share - expected));
    }
    return at;
  }),
  eloAs("normal expectation", [], (duels) => {
    const at: Ratings = new Map();
    for (const { a, b, share } of duels) {
      const [x, y] = [at.get(a) ?? 2000, at.get(b) ?? 2000];
      const expected = 0.5 + Math.atan((x - y) / 200) / Math.PI;
      at.set(a, x + 32 * (share - expected));
      at.set(b, y - 32 * (share - expected));
    }
    return at;
  }),
  eloAs("Bayesian Elo", [], (duels) => gammaElo(duels, {})),
  eloAs("mean of the last ten", [], (duels) =>
    meanRatings(Array.from({ length: 10 }, (_, i) => eloOf(duels.slice(0, duels.length - i), {}))),
  ),
  eloAs("sessions shuffled", [], (duels, _, random) => {
    const order = [...bySession(duels).values()].map((own) => ({ own, at: random() })).sort((x, y) => x.at - y.at);
    return eloOf(
      order.flatMap(({ own }) => own),
      {},
    );
  }),
  eloAs("ten Elo per net win", [], (duels) => {
    const at: Ratings = new Map();
    for (const { a, b, share } of duels) {
      at.set(a, (at.get(a) ?? 2000) + 10 * (2 * share - 1));
      at.set(b, (at.get(b) ?? 2000) - 10 * (2 * share - 1));
    }
    return at;
  }),
];

export const heldOutElos = [...planted, ...others];
