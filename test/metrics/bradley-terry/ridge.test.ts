/** The penalised fit of older arena boards against scikit-learn, at its optimum and where its solver stopped. */
import { expect, test } from "vitest";
import { createEvaluator } from "../../../src/audit/recompute/evaluator.js";
import { explain } from "../../../src/audit/explain/find-cause.js";
import { search } from "../../../src/audit/explain/search.js";
import { ridgeFit } from "../../../src/metrics/bradley-terry/ridge.js";
import { pairCountsOf } from "../../../src/metrics/pair-counts.js";
import { oracle } from "../../support/oracle.js";
import { isWhole } from "../../support/whole.js";
import { madeUpTarget, own, syntheticRatings } from "../../support/audit/synthetic-ratings.js";

type Votes = readonly (readonly [a: string, b: string, won: number])[];
type Ratings = Readonly<Record<string, number>>;
interface Case {
  readonly votes: Votes;
  readonly optimum: Ratings;
  readonly stopped: Ratings;
}
const { few, many } = oracle("ridge") as Record<"few" | "many", Case>;

const itemsOf = ({ optimum }: Case): string[] => Object.keys(optimum).sort();

const countsOf = (items: readonly string[], votes: Votes) =>
  pairCountsOf(items.length, {
    a: Int32Array.from(votes, ([a]) => items.indexOf(a)),
    b: Int32Array.from(votes, ([, b]) => items.indexOf(b)),
    outcome: Int8Array.from(votes, ([, , won]) => 2 * won - 1),
  });

const eloScale = 400 / Math.LN10;

test.each([
  ["60 votes", few],
  ["1,200 votes", many],
])("%s: the optimum is that of scikit-learn, whose solver stops within the reach", (_, own) => {
  const items = itemsOf(own);
  const { logWorth, stopped } = ridgeFit(countsOf(items, own.votes));
  items.forEach((item, i) => {
    const optimum = 1000 + eloScale * logWorth[i]!;
    // scikit-learn converges to about 1e-8 of a rating.
    expect(optimum).toBeCloseTo(own.optimum[item]!, 5);
    expect(Math.abs(own.stopped[item]! - optimum)).toBeLessThan(eloScale * stopped.reach[i]!);
  });
  expect(items.some((item) => Math.abs(own.stopped[item]! - own.optimum[item]!) > 1e-4)).toBe(true);
});

test("a rating beyond its reach leaves a gradient per row of more than 1e-4, one well within it less", () => {
  const items = itemsOf(few);
  const { logWorth, stopped } = ridgeFit(countsOf(items, few.votes));
  const loss = (at: Float64Array): number => {
    const w = at.map((x) => x / Math.LN10);
    const row = (a: string, b: string, sign: number): number =>
      Math.log(1 + Math.exp(-sign * (at[items.indexOf(a)]! - at[items.indexOf(b)]!)));
    return few.votes.reduce(
      (sum, [a, b, won]) => sum + 2 * (won * row(a, b, 1) + (1 - won) * row(a, b, -1)),
      w.reduce((sum, x) => sum + x * x, 0) / 2,
    );
  };
  const h = 1e-5;
  const steepest = (moved: number, by: number): number => {
    // The others move so that the sum stays zero.
    const at = logWorth.map((x, i) => x + (i === moved ? by : -by / (items.length - 1)));
    const slopes = items.map((_, i) => {
      const near = (step: number) => loss(at.map((x, j) => (i === j ? x + step : x)));
      return Math.abs(near(h) - near(-h)) / (2 * h);
    });
    return Math.max(...slopes) / (2 * few.votes.length);
  };
  items.forEach((_, i) => {
    // Central differences are good to h².
    expect(steepest(i, 1.001 * stopped.reach[i]!)).toBeGreaterThan(1e-4);
    expect(steepest(i, stopped.reach[i]! / 4)).toBeLessThan(1e-4);
  });
});

function said(own_: Case, ratings: Ratings, decimals: number, options?: { fit: string }) {
  const items = itemsOf(own_);
  const { votes } = own_;
  const count = 2 * votes.length;
  const zeros = new Int32Array(count);
  const at = Int32Array.from({ length: count }, (_, i) => i >> 1);
  const base = syntheticRatings({ sessions: 1, items: 2, raters: 1 });
  const evaluator = createEvaluator({
    ...base,
    score: Float64Array.from(zeros, (_, i) => {
      const won = votes[i >> 1]![2];
      return i % 2 === 0 ? won : 1 - won;
    }),
    stimulus: zeros.map((_, i) => items.indexOf(votes[i >> 1]![i % 2 === 0 ? 0 : 1])),
    dimension: zeros,
    slate: at,
    session: at,
    job: zeros,
    rater: at,
    training: new Uint8Array(count),
    completed: new Uint8Array(count).fill(1),
    screened: new Uint8Array(count),
    correct: new Int8Array(count).fill(-1),
    slateUpdated: Float64Array.from(at),
    stimuli: items.map((name) => ({ id: name, name, item: name })),
    raters: votes.map((_, i) => `r${i}`),
    sessions: votes.map((_, i) => ({ id: `s${i}`, created: i })),
    slateIds: BigInt64Array.from(votes, (_, i) => BigInt(i)),
  });
  const scores = items.map((stimulus) => ({
    stimulus,
    value: ratings[stimulus]!.toFixed(decimals),
  }));
  const unstated = madeUpTarget("bradley_terry", scores, items);
  const target = { ...unstated, group: { ...unstated.group, options } };
  const { explanation } = explain(search({ target, evaluator, own }));
  return explanation && { ...explanation, all: [explanation.name, ...explanation.rivals] };
}

const shifted = (ratings: Ratings, by: number): Ratings =>
  Object.fromEntries(Object.entries(ratings).map(([item, value]) => [item, value + by]));

test("the audit names the penalised fit, on the scale around 1000", () => {
  expect(said(many, many.optimum, 6)?.all).toEqual(["fit=ridge unit=elo"]);
  expect(said(few, few.optimum, 1)?.all).toContain("fit=ridge unit=elo");
});

const stoppedName = "fit=ridge_stopped unit=elo";

test("the audit compares a stated stopped fit within its reach, also of a board that holds one item", () => {
  const stated = { fit: "ridge_stopped" };
  const plain = said(many, many.stopped, 6, stated);
  expect(plain?.name).toBe(stoppedName);
  expect(plain?.says).toMatch(
    /as the published options state; compared within its reach, at most ± [01]\.\d+$/,
  );
  for (const decimals of [2, 6]) {
    const held = shifted(many.stopped, 1114 - many.stopped.elm!);
    expect(said(many, held, decimals, stated)?.name).toBe(stoppedName);
  }
  // Six numbers within such a reach are no evidence.
  expect(said(many, many.stopped, 6)).toBeNull();
});

test("ratings of one wrong vote, and one rating that is off, are no stopped fit", () => {
  if (isWhole) {
    const off = { ...many.stopped, fir: many.stopped.fir! + 1.5 };
    expect(said(many, off, 6)).toBeNull();
  }
  const [[a, b, won], ...others] = few.votes as [Votes[number], ...Votes];
  expect(
    said({ ...few, votes: [[a, b, won === 1 ? 0 : 1], ...others] }, few.stopped, 6),
  ).toBeNull();
});
