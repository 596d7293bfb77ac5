import { expect, test } from "vitest";
import { bradleyTerry } from "../../../src/metrics/bradley-terry/bradley-terry.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { gamesOf, raterCounts, type Game } from "../../support/pair-counts.js";

const convention = { ...defaultConventions.bradley_terry, rater_samples: 0 };
const items = 5;

const countsOf = (games: readonly Game[], raters: number) => raterCounts(items, raters, games);

const study = (seed: number, raters: number): Game[] =>
  gamesOf(seed, { items, raters, each: (random) => 3 + Math.floor(20 * random()) });

function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  rows.forEach((row, i) => {
    const pivot = row[i]!;
    row.forEach((value, j) => (row[j] = value / pivot));
    rows.forEach((other, k) => {
      const factor = other[i]!;
      if (k !== i) other.forEach((value, j) => (other[j] = value - factor * row[j]!));
    });
  });
  return rows.map((row) => row.at(-1)!);
}

/** The definition in plain terms: the last item is the reference, then worths are centred (delta method). */
function byDefinition(
  games: readonly Game[],
  worth: Float64Array,
  clusterOf: (game: Game, i: number) => number,
): number[] {
  const free = items - 1;
  const chance = ({ a, b }: Game): number => 1 / (1 + Math.exp(worth[b]! - worth[a]!));
  const information = Array.from({ length: free }, (_, i) =>
    Array.from({ length: free }, (_other, j) =>
      games.reduce((sum, game) => {
        const sign = (item: number): number => Number(game.a === item) - Number(game.b === item);
        return sum + sign(i) * sign(j) * chance(game) * (1 - chance(game));
      }, 0),
    ),
  );
  const scores = new Map<number, number[]>();
  games.forEach((game, i) => {
    const cluster = clusterOf(game, i);
    const score = scores.get(cluster) ?? new Array<number>(free).fill(0);
    const residual = (game.outcome + 1) / 2 - chance(game);
    if (game.a < free) score[game.a] = score[game.a]! + residual;
    if (game.b < free) score[game.b] = score[game.b]! - residual;
    scores.set(cluster, score);
  });
  return Array.from({ length: items }, (_, item) => {
    const centring = Array.from({ length: free }, (_other, j) => Number(item === j) - 1 / items);
    const row = solve(information, centring);
    const effects = [...scores.values()].map((score) =>
      score.reduce((sum, s, j) => sum + s * row[j]!, 0),
    );
    return Math.sqrt(effects.reduce((sum, effect) => sum + effect * effect, 0));
  });
}

test.each([1, 2, 3, 4, 5])(
  "errors equal their definition, by comparison and by rater (study %i)",
  (seed) => {
    const raters = 12;
    const games = study(seed, raters);
    const fit = bradleyTerry(countsOf(games, raters), convention);
    expect(fit.classes).toBe(1);
    const plain = byDefinition(games, fit.value, (_game, i) => i);
    const clustered = byDefinition(games, fit.value, ({ rater = 0 }) => rater);
    // Both invert a matrix of five items: rounding stays far below 1e-9.
    fit.standardError.forEach((error, i) => expect(error).toBeCloseTo(plain[i]!, 9));
    fit.clusteredError.forEach((error, i) =>
      expect(error).toBeCloseTo(clustered[i]! * Math.sqrt(raters / (raters - 1)), 9),
    );
  },
);

test.each(["half", "davidson", "generalised_davidson"] as const)(
  "properties of clustered errors with ties: %s",
  (ties) => {
    const own = { ...convention, ties };
    const games = study(7, 15);
    const fit = bradleyTerry(countsOf(games, 15), own);
    // Raters with one comparison each: clusters are comparisons, but for the correction for their number.
    const n = games.length;
    const alone = bradleyTerry(
      countsOf(
        games.map((game, rater) => ({ ...game, rater })),
        n,
      ),
      own,
    );
    alone.clusteredError.forEach((error, i) =>
      expect(error).toBeCloseTo(alone.standardError[i]! * Math.sqrt(n / (n - 1)), 8),
    );
    const twice = bradleyTerry(countsOf([...games, ...games], 15), own);
    twice.value.forEach((value, i) => expect(value).toBeCloseTo(fit.value[i]!, 8));
    twice.standardError.forEach((error, i) =>
      expect(error).toBeCloseTo(fit.standardError[i]! / Math.SQRT2, 8),
    );
    twice.clusteredError.forEach((error, i) =>
      expect(error).toBeCloseTo(fit.clusteredError[i]!, 8),
    );
  },
);

test("one rater alone gives no clustered error", () => {
  const games = study(3, 6).map((game) => ({ ...game, rater: 0 }));
  const fit = bradleyTerry(countsOf(games, 1), convention);
  expect(fit.standardError.every((error) => error > 0)).toBe(true);
  expect([...fit.clusteredError]).toEqual(Array(items).fill(NaN));
});

test("an item that one rater alone compared has no clustered error; the others do", () => {
  const games = study(4, 10).filter(({ a, b, rater }) => (a !== 4 && b !== 4) || rater === 2);
  games.push({ a: 4, b: 0, outcome: 1, rater: 2 }, { a: 4, b: 0, outcome: -1, rater: 2 });
  const fit = bradleyTerry(countsOf(games, 10), convention);
  expect(fit.classes).toBe(1);
  expect([...fit.clusteredError].map(Number.isNaN)).toEqual([false, false, false, false, true]);
});
