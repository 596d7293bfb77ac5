import { expect, test } from "vitest";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { qualityStrengths } from "../../../src/metrics/bayesian-elo/rater-quality.js";
import { seededRandom } from "../../../src/platform/random.js";
import { raterCounts, type Game } from "../../support/pair-counts.js";

const convention = defaultConventions.bayesian_elo;

/** Five items a fixed distance apart; raters 0-7 judge by them, rater 8 tosses a coin, rater 9 lies. */
function simulate() {
  const random = seededRandom(7);
  const games: Game[] = [];
  for (let i = 0; i < 4000; i++) {
    const a = Math.floor(random() * 5);
    const b = (a + 1 + Math.floor(random() * 4)) % 5;
    const rater = i % 10;
    const chance = 1 / (1 + Math.exp((b - a) * 0.8));
    const wins = random() < (rater === 8 ? 0.5 : rater === 9 ? 1 - chance : chance);
    games.push({ a, b, outcome: random() < 0.05 ? 0 : wins ? 1 : -1, rater });
  }
  return raterCounts(5, 10, games);
}

test("raters who answer at random or lie get the lowest quality", () => {
  const { converged, quality } = qualityStrengths(simulate(), convention, { alpha: 10, beta: 2 });
  expect(converged).toBe(true);
  const worst = Math.min(...quality.subarray(0, 8));
  expect(quality[8]).toBeLessThan(worst);
  expect(quality[9]).toBeLessThan(quality[8]!);
});

test("the result is a fixed point of the definition's own iteration", () => {
  const counts = simulate();
  const { strength, quality } = qualityStrengths(counts, convention, { alpha: 10, beta: 2 });
  const wins = new Array<number>(5).fill(0);
  const share = new Array<number>(5).fill(0);
  const meant = new Array<number>(10).fill(0);
  const judged = new Array<number>(10).fill(0);
  counts.a.forEach((a, p) => {
    const b = counts.b[p]!;
    const r = counts.rater[p]!;
    const gamma = (i: number, j: number): number => {
      const chance = strength[i]! / (strength[i]! + strength[j]!);
      const q = quality[r]!;
      return (q * chance) / (q * chance + (1 - q) / 2);
    };
    const half = counts.ties[p]! / 2;
    const toA = gamma(a, b) * (counts.winsA[p]! + half);
    const toB = gamma(b, a) * (counts.winsB[p]! + half);
    wins[a] = wins[a]! + toA;
    wins[b] = wins[b]! + toB;
    for (const i of [a, b]) {
      share[i] = share[i]! + (toA + toB) / (strength[a]! + strength[b]!);
    }
    meant[r] = meant[r]! + toA + toB;
    judged[r] = judged[r]! + counts.winsA[p]! + counts.winsB[p]! + 2 * half;
  });
  strength.forEach((own, i) => {
    const next = (convention.shape - 1 + wins[i]!) / (convention.rate + share[i]!);
    expect(next / own).toBeCloseTo(1, 10);
  });
  quality.forEach((own, r) => expect((9 + meant[r]!) / (10 + judged[r]!)).toBeCloseTo(own, 10));
});
