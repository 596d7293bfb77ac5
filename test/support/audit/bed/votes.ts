/** Votes with weights, covariates and items against themselves, and plain fits of them, written apart from src/metrics. */
import { seededRandom } from "../../../../src/platform/random.js";
import {
  avg,
  duelsOf,
  grouped,
  itemsOf,
  partsOf,
  quantileBy,
  sum,
  type Duel,
  type Ratings,
} from "./plain.js";
import type { Row } from "./world.js";

export interface Vote extends Duel {
  readonly rater: number;
  readonly weight: number;
  /** The covariate of the left item; NaN without one. */
  readonly style: number;
  /** 1 if `a` is the left item, -1 if `b` is. */
  readonly side: number;
}

export function votesOf(rows: readonly Row[]): Vote[] {
  const slates = grouped(rows, (r) => r.slate);
  return [...slates.values()].flatMap((own) => {
    const [duel] = duelsOf(own);
    const [first] = own;
    if (duel === undefined || first === undefined) return [];
    const left = own.find((r) => r.style !== undefined);
    return [
      {
        ...duel,
        rater: first.rater,
        weight: first.weight ?? 1,
        style: left?.style ?? NaN,
        side: left?.item === duel.a ? 1 : -1,
      },
    ];
  });
}

export const betweenItems = (votes: readonly Vote[]): Vote[] => votes.filter(({ a, b }) => a !== b);

/** Each vote as often as its weight says: weights are whole. */
export const repeated = (votes: readonly Vote[], weight = (v: Vote): number => v.weight): Vote[] =>
  votes.flatMap((v) => Array.from({ length: weight(v) }, () => v));

export function enriched(rows: readonly Row[], seed: number): Row[] {
  const random = seededRandom(seed * 48_611 + 29);
  const what = ["plain", "weights", "style", "itself"][Math.floor(4 * random())]!;
  const normal = (): number => sum(Array.from({ length: 6 }, random)) - 3;
  return partsOf(rows, (r) => `${r.slate} ${r.dimension}`).flatMap((own) => {
    const [first, second] = own;
    if (first === undefined || second === undefined || own.length !== 2) return own;
    if (what === "weights") {
      const weight = [1, 1, 2, 3][Math.floor(4 * random())]!;
      return own.map((r) => ({ ...r, weight }));
    }
    if (what === "itself" && random() < 0.1) {
      const score = Math.floor(3 * random()) - 1;
      return [score, -score].map((s) => ({ ...first, score: s }));
    }
    if (what !== "style") return own;
    const left = random() < 0.5 ? first : second;
    const style = 0.6 * left.score + normal();
    return own.map((r) => (r === left ? { ...r, style } : r));
  });
}

/** One row of a logistic regression: coefficients by parameter, the share won, and a weight. */
interface Logit {
  readonly of: readonly (readonly [parameter: number, by: number])[];
  readonly won: number;
  readonly weight: number;
}

function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < size; k++) {
    const best = rows.reduce(
      (at, row, i) => (i > k && Math.abs(row[k]!) > Math.abs(rows[at]![k]!) ? i : at),
      k,
    );
    [rows[k], rows[best]] = [rows[best]!, rows[k]!];
    const pivot = rows[k]!.map((x) => x / rows[k]![k]!);
    rows[k] = pivot;
    rows.forEach((row, i) => {
      const by = row[k]!;
      if (i !== k && by !== 0) rows[i] = row.map((x, j) => x - by * pivot[j]!);
    });
  }
  return rows.map((row) => row.slice(size));
}

const chanceAt = (at: readonly number[], { of }: Logit): number =>
  1 / (1 + Math.exp(-sum(of.map(([p, by]) => by * at[p]!))));

function slopeAndCurve(
  logits: readonly Logit[],
  at: readonly number[],
  penalty: readonly number[],
) {
  const slope = at.map((x, i) => -penalty[i]! * x);
  const curve = at.map((_, i) => at.map((_, j) => (i === j ? penalty[i]! : 0)));
  for (const logit of logits) {
    const p = chanceAt(at, logit);
    for (const [i, x] of logit.of) {
      slope[i]! += logit.weight * (logit.won - p) * x;
      for (const [j, y] of logit.of) curve[i]![j]! += logit.weight * p * (1 - p) * x * y;
    }
  }
  return { slope, curve };
}

/** Newton's method; the level of the first `items` parameters, if free, is that of a sum of 0. NaN if there is no optimum. */
function logisticFit(
  logits: readonly Logit[],
  items: number,
  penalty: readonly number[],
): { at: number[]; inverse: number[][] } {
  let at = penalty.map(() => 0);
  for (let step = 0; step < 40; step++) {
    const { slope, curve } = slopeAndCurve(logits, at, penalty);
    const own = inverse(
      curve.map((row, i) => row.map((x, j) => (i < items && j < items ? x + 1 / items : x))),
    );
    const moves = own.map((row) => sum(row.map((x, j) => x * slope[j]!)));
    const most = Math.max(...moves.map(Math.abs));
    at = at.map((x, i) => x + moves[i]! * Math.min(1, 2 / most));
    if (most < 1e-11) return { at, inverse: own };
    if (Math.max(...at.map(Math.abs)) > 25) break;
  }
  return { at: at.map(() => NaN), inverse: [] };
}

const logitsOf = (votes: readonly Duel[], items: readonly string[]): Logit[] => {
  const index = new Map(items.map((item, i) => [item, i]));
  return votes.map(({ a, b, share }) => ({
    of: [
      [index.get(a)!, 1],
      [index.get(b)!, -1],
    ],
    won: share,
    weight: 1,
  }));
};

const named = (items: readonly string[], values: readonly number[]): Ratings =>
  new Map(items.map((item, i) => [item, values[i]!]));

export const eloScale = 400 / Math.LN10;

/** Log worths of highest likelihood; with a `penalty`, less half of it times their squares. */
export function worthsOf(votes: readonly Duel[], penalty = 0): Ratings {
  const items = itemsOf(votes);
  const { at } = logisticFit(
    logitsOf(votes, items),
    items.length,
    items.map(() => penalty),
  );
  return named(items, at);
}

/** The penalty of C = 1 on worths in powers of ten, of which each vote counts two. */
export const arenaPenalty = 1 / (2 * Math.LN10 ** 2);

/** Descent of the penalised fit until no part of the gradient per row is above `stop`. */
export function stoppedWorths(votes: readonly Vote[], stop: number): Ratings {
  const items = itemsOf(votes);
  const logits = logitsOf(votes, items);
  const penalty = items.map(() => arenaPenalty);
  let at = items.map(() => 0);
  for (let step = 0; step < 3000; step++) {
    const { slope, curve } = slopeAndCurve(logits, at, penalty);
    if (Math.max(...slope.map(Math.abs)) / votes.length <= stop) break;
    at = at.map((x, i) => x + (0.5 * slope[i]!) / curve[i]![i]!);
    const level = avg(at);
    at = at.map((x) => x - level);
  }
  return named(items, at);
}

/** Standard errors of log worths: the model's own, or the sandwich over votes or over raters. */
export function errorsOf(votes: readonly Vote[], by: "model" | "votes" | "raters"): Ratings {
  const items = itemsOf(votes);
  const logits = logitsOf(votes, items);
  const fit = logisticFit(
    logits,
    items.length,
    items.map(() => 0),
  );
  const { at } = fit;
  if (fit.inverse.length === 0) return named(items, at);
  const scores = logits.map((logit) => ({ logit, left: logit.won - chanceAt(at, logit) }));
  const groups = new Map<number, typeof scores>();
  scores.forEach((one, i) => {
    const key = by === "raters" ? votes[i]!.rater : i;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  });
  const few = by === "raters" ? groups.size / (groups.size - 1) : 1;
  const variance = (item: number): number => {
    const row = fit.inverse[item]!;
    if (by === "model") return row[item]! - 1 / items.length;
    const moved = (own: typeof scores): number =>
      sum(own.map(({ logit, left }) => left * sum(logit.of.map(([p, x]) => x * row[p]!))));
    return few * sum([...groups.values()].map((own) => moved(own) ** 2));
  };
  return named(
    items,
    items.map((_, i) => Math.sqrt(variance(i))),
  );
}

/** Log worths with the covariate in the logit: of the mean log likelihood less half of all squares. */
export function styledWorths(
  votes: readonly Vote[],
  { reweighted = false, standardised = true, penalty = 1, late = 0 } = {},
): Ratings {
  if (votes.length === 0 || votes.some(({ style }) => Number.isNaN(style))) return new Map();
  const items = itemsOf(votes);
  const plain = logitsOf(votes, items);
  // Without covariates' effects each item needs a win and a loss.
  const worths = worthsOf(votes);
  if ([...worths.values()].some(Number.isNaN)) return worths;
  const styles = votes.map((_, i) => votes[(i + late) % votes.length]!.style);
  const centre = standardised ? avg(styles) : 0;
  const sd = standardised ? Math.sqrt(avg(styles.map((s) => (s - centre) ** 2))) : 1;
  const met = grouped(votes, ({ a, b }) => `${a}|${b}`);
  const shares = votes.map(({ a, b }) =>
    reweighted ? 1 / Math.max(met.get(`${a}|${b}`)!.length, 50) : 1,
  );
  const logits = plain.map((logit, i) => ({
    ...logit,
    of: [...logit.of, [items.length, (votes[i]!.side * (styles[i]! - centre)) / sd] as const],
    weight: shares[i]! / sum(shares),
  }));
  const { at } = logisticFit(logits, items.length, [...items.map(() => 0), penalty]);
  return named(items, at);
}

export function drawsOf<T>(
  all: readonly T[],
  draws: number,
  random: () => number,
  of: (own: T[]) => Ratings,
): Ratings[] {
  return Array.from({ length: draws }, () =>
    of(all.map(() => all[Math.floor(random() * all.length)]!)),
  );
}

export const quantilesOf = (draws: readonly number[]): [number, number] =>
  draws.some((x) => !Number.isFinite(x))
    ? [NaN, NaN]
    : [quantileBy(draws, 0.025, 1, 1), quantileBy(draws, 0.975, 1, 1)];
