import { createEvaluator, type Evaluator } from "../../../../src/audit/recompute/evaluator.js";
import type { Kind } from "../../../../src/metrics/kinds.js";
import { seededRandom, type Random } from "../../../../src/platform/random.js";
import {
  avg,
  duelsOf,
  eloOf,
  eloScale,
  gammaElo,
  itemsOf,
  mapped,
  recordsOf,
  scoresBy,
  sd,
  sidesOf,
  sum,
  worthsOf,
  type Duel,
  type Ratings,
  type Side,
} from "./plain.js";
import { rankCentrality } from "./paired.js";
import { studyOf, type Family, type Row, type Shape, type Study } from "./world.js";

interface Rule {
  readonly of: (rows: readonly Row[]) => Ratings;
  /** What log odds of 0 and of 1 are in it. */
  readonly zero: number;
  readonly one: number;
  /** By the name of the convention: what boards publish for 1 of log odds, or for 1 of the rule. */
  readonly scales: Readonly<Record<string, number>>;
}
const { LN10, LN2, PI, sqrt } = Math;
const eloScales = {
  "unit=elo": eloScale,
  "unit=natural": 1,
  "unit=log10": 1 / LN10,
  "unit=hundredth_elo": eloScale / 100,
};
const worthScales = {
  ...{ "unit=elo": eloScale, "unit=natural": 1, "unit=log10": 1 / LN10, "unit=log2": 1 / LN2 },
  ...{ "unit=hundred_logs": 100, "unit=decibel": 10 / LN10, "unit=ten_logs": 10 },
  ...{ "unit=four_hundred_logs": 400, "unit=thousand_logs": 1000, "unit=half_elo": eloScale / 2 },
  ...{ "unit=probit": 1 / 1.702, "unit=logistic_sd": sqrt(3) / PI },
};
const elo = { zero: 2000, one: eloScale };
const own = { zero: 0, one: 1 };
const rules = {
  bradley_terry: { ...own, of: (rows) => worthsOf(duelsOf(rows)), scales: worthScales },
  elo: { ...elo, of: (rows) => eloOf(duelsOf(rows)), scales: eloScales },
  bayesian_elo: { ...elo, of: (rows) => gammaElo(duelsOf(rows)), scales: worthScales },
  percent_chosen: {
    ...own,
    of: (rows) => mapped(recordsOf(duelsOf(rows)), ({ wins, n }) => (100 * wins) / n),
    scales: { "": 1, "scale=fraction": 0.01 },
  },
  mean: {
    ...own,
    of: (rows) => mapped(scoresBy(rows), avg),
    scales: { "": 1, "scale=100": 100 },
  },
} satisfies Partial<Record<Kind, Rule>>;
type BoardKind = keyof typeof rules;
const kinds: readonly BoardKind[] = [
  ...(["bradley_terry", "percent_chosen", "elo", "bayesian_elo"] as const),
  ...(["bradley_terry", "mean", "bayesian_elo", "elo"] as const),
];

interface Fault {
  /** Of which boards; absent: all. */
  readonly of?: "pairs" | "global";
  readonly isUnknown?: true;
  readonly rows?: (rows: readonly Row[]) => readonly Row[];
  readonly cause?: (study: Study, kind: BoardKind) => string;
  readonly scored?: (rows: readonly Row[], own: Ratings, random: Random) => Ratings;
  /** The items whose mean is a round number. */
  readonly held?: (items: readonly string[]) => readonly string[];
  readonly changed?: (numbers: Ratings, last: number, random: Random) => Ratings | null;
  readonly isTruncated?: true;
}

const spreadOf = (numbers: Ratings): number =>
  Math.max(...numbers.values()) - Math.min(...numbers.values());
/** Some items, by a thirtieth to a third of the range, and at least four units of the last decimal. */
const raised = (count: (items: number) => number, isFirst = false): Pick<Fault, "changed"> => ({
  changed(numbers, last, random) {
    const order = [...numbers.keys()].map((item, i) => ({ item, at: isFirst ? i : random() }));
    const some = order.sort((x, y) => x.at - y.at).slice(0, count(order.length));
    const by = new Map(
      some.map(({ item }) => {
        const size = Math.max(4 * last, (0.033 + 0.3 * random()) * spreadOf(numbers));
        return [item, random() < 0.5 ? -size : size];
      }),
    );
    return mapped(numbers, (v, item) => v + (by.get(item) ?? 0));
  },
});
const oneRaised = raised(() => 1);
const swapped: Fault["changed"] = (numbers, last, random) => {
  const items = [...numbers.keys()].map((item) => ({ item, at: random() }));
  const [x, y] = items.sort((a, b) => a.at - b.at).map(({ item }) => numbers.get(item)!);
  return Math.abs(x! - y!) < 4 * last
    ? null
    : mapped(numbers, (v) => (v === x ? y! : v === y ? x! : v));
};

const heavy = (rows: readonly Row[]): number => rows[rows.length >> 1]!.rater;
const raterLeftOut: Fault = {
  rows: (rows) => rows.filter((r) => r.rater !== heavy(rows)),
  cause: ({ counted }) => `without_rater=rater-${String(heavy(counted)).padStart(3, "0")}`,
};
const tiesLeftOut: Fault = {
  of: "pairs",
  rows: (rows) => rows.filter((r) => r.score !== 0),
  cause: (_, kind) => (kind === "elo" ? "ties=skip" : "ties=exclude"),
};
const dropped: Fault = {
  isUnknown: true,
  rows: (rows) => rows.filter((r) => r.slate % 100 !== 7),
};
const again = (rows: readonly Row[]): Row[] => rows.map((r) => ({ ...r, slate: r.slate + 0.5 }));

const scoredBy = (of: (duels: readonly Duel[]) => Ratings): Fault => ({
  of: "global",
  isUnknown: true,
  scored(rows, own) {
    const other = of(duelsOf(rows));
    const [from, to] = [[...other.values()], [...own.values()]];
    return mapped(other, (v) => avg(to) + ((v - avg(from)) * sd(to)) / sd(from));
  },
});
const repeated = (next: (own: readonly Side[], gained: number) => number) =>
  scoredBy((duels) => {
    const sides = new Map(itemsOf(duels).map((item) => [item, sidesOf(duels, item)]));
    let at: Ratings = mapped(sides, () => 1);
    for (let round = 0; round < 30; round++)
      at = mapped(sides, (own) => next(own, sum(own.map((s) => at.get(s.other)! + s.share - 0.5))));
    return at;
  });

export const faults: Readonly<Record<string, Fault>> = {
  exact: {},
  "one raised": oneRaised,
  "two swapped": { changed: swapped },
  "three raised": raised(() => 3),
  "a fifth of items changed": raised((items) => Math.ceil(items / 5)),
  "a rater left out": raterLeftOut,
  "ties left out": tiesLeftOut,
  "a rater left out, one raised": { ...raterLeftOut, ...oneRaised },
  "ties left out, one raised": { ...tiesLeftOut, ...oneRaised },
  anchored: { of: "global", held: ([first]) => [first!] },
  "the anchor itself raised": {
    of: "global",
    held: ([first]) => [first!],
    ...raised(() => 1, true),
  },
  "mean of a subset": { of: "global", held: (items) => items.filter((_, i) => i % 3 === 0) },
  truncated: { isTruncated: true },
  "noise of one unit": {
    changed: (numbers, last, random) => mapped(numbers, (v) => v + (2 * random() - 1) * last),
  },
  "1 % of votes dropped": dropped,
  "1 % of votes dropped, one raised": { ...dropped, ...oneRaised },
  "a rater counted twice": {
    isUnknown: true,
    rows: (rows) => [...rows, ...again(rows.filter((r) => r.rater === heavy(rows)))],
  },
  "half of a rater left out": {
    isUnknown: true,
    rows: (rows) => rows.filter((r) => r.rater !== heavy(rows) || r.slate % 2 === 0),
  },
  "random numbers": {
    isUnknown: true,
    scored: (_, own, random) =>
      mapped(own, () => Math.min(...own.values()) + random() * spreadOf(own)),
  },
  "a scale 2 % off": {
    of: "global",
    isUnknown: true,
    scored: (_, own) => mapped(own, (v) => 1.02 * v),
  },
  "a bent scale": {
    of: "global",
    isUnknown: true,
    scored: (_, own) =>
      mapped(own, (v) => v + (0.1 * (v - avg([...own.values()])) ** 2) / spreadOf(own)),
  },
  "win rate": scoredBy((duels) => mapped(recordsOf(duels), ({ wins, n }) => wins / n)),
  Colley: repeated((own, gained) => (1 + gained) / (2 + own.length)),
  Massey: repeated((own, gained) => gained / own.length),
  PageRank: scoredBy(rankCentrality),
};

export interface Board {
  readonly seed: number;
  readonly fault: string;
  readonly isKnown: boolean;
  readonly isGlobal: boolean;
  readonly kind: Kind;
  readonly study: Study;
  readonly decimals: number;
  /** Of the published numbers, in units of their last decimal. */
  readonly range: number;
  /** In the board's unit and unrounded: by the kind's rule, as published without changed items, and as published. */
  readonly base: Ratings;
  readonly exact: Ratings;
  readonly published: Ratings;
  readonly isTruncated: boolean;
  /** What the audit may call unit and cause. */
  readonly unit: string;
  readonly cause: string;
  readonly evaluator: Evaluator;
}

function shapeOf(family: Family, random: Random): Shape {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const votes = 200 * 100 ** random();
  const slates = Math.max(4, Math.round(votes / pick([8, 20, 60, 200])));
  return {
    family,
    items: Math.round(4 * 15 ** random()),
    sessions: Math.max(4, Math.round(votes / slates)),
    slates,
    design: pick(["even", "even", "ring", "hub", "crowded"]),
    ties: pick([0.04, 0.12, 0.35]),
    load: pick(["single", "equal", "unequal"]),
    ...{ jobs: 1, jobsFollow: true, training: 0, incomplete: "none", checks: 0, dimensions: 1 },
    scale: (felt) => Math.min(5, Math.max(1, Math.round(3 + felt))),
    ...{ withCounts: false, fields: [] },
  };
}

export function* boardsOf(seed: number): Generator<Board | null> {
  const kind = kinds[seed % kinds.length]!;
  const rule: Rule = rules[kind];
  const family = kind === "mean" ? "acr" : "pairwise";
  const isGlobal = kind !== "mean" && kind !== "percent_chosen";
  const study = studyOf(seed, shapeOf(family, seededRandom(seed * 7919 + 17)));
  const evaluator = createEvaluator(study.ratings);
  const ofAll = rule.of(study.counted);
  const hasTies = family === "pairwise" && study.counted.some((r) => r.score === 0);
  for (const [number, [fault, what]] of Object.entries(faults).entries()) {
    const { of, rows, scored, held, changed, cause, isTruncated = false } = what;
    const random = seededRandom(1000 * seed + number);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
    const counted = rows?.(study.counted) ?? study.counted;
    const ruled = rows === undefined ? ofAll : rule.of(counted);
    const numbers = scored?.(counted, ruled, random) ?? ruled;
    const [unit, scale] = pick(Object.entries(rule.scales));
    const scaled = (v: number): number => (scale * (v - rule.zero)) / rule.one;
    const items = [...numbers.keys()].sort();
    const some = held?.(items).map((item) => scaled(numbers.get(item)!));
    const level = some
      ? pick([0, 1000, 1114]) - avg(some)
      : pick([scale === rule.one ? rule.zero : 0, 1000, 1500, 2000 * random()]);
    const shown = (of: Ratings): Ratings => mapped(of, (v) => scaled(v) + (isGlobal ? level : 0));
    const exact = shown(new Map(items.map((item) => [item, numbers.get(item)!])));
    const spread = spreadOf(exact);
    const decimals = pick([4, ...[0, 1, 2, 3].filter((d) => spread * 10 ** d >= 10)]);
    const last = 10 ** -decimals;
    const published = changed === undefined ? exact : changed(exact, last, random);
    const isOf = { pairs: hasTies, global: isGlobal, all: true }[of ?? "all"];
    if (!isOf || published === null || exact.size !== ofAll.size || !Number.isFinite(spread))
      yield null;
    else
      yield {
        ...{ seed, fault, kind, study, decimals, exact, published, unit, evaluator },
        ...{ isGlobal, isTruncated, isKnown: what.isUnknown === undefined },
        range: spread / last,
        base: shown(ofAll),
        cause: cause?.(study, kind) ?? (isTruncated ? "rounding=truncate" : ""),
      };
  }
}
