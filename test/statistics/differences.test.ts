import { expect, test } from "vitest";
import { sandwichErrors } from "../../src/metrics/bradley-terry/errors.js";
import { fitWorths } from "../../src/metrics/bradley-terry/model.js";
import { pooled } from "../../src/metrics/bradley-terry/resample.js";
import { ranksOf } from "../../src/metrics/numeric/order.js";
import { tQuantile } from "../../src/metrics/numeric/statistics.js";
import type { RaterPairCounts } from "../../src/metrics/pair-counts.js";
import {
  type Differences,
  differencesOf,
  probabilityBest,
  rankIntervals,
  reasons,
} from "../../src/statistics/kernels/contrasts.js";
import { meanEstimates, worthEstimates } from "../../src/statistics/kernels/differences.js";
import { seededRandom } from "../../src/platform/index.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { oracle, sumsOf, transposed } from "../support/oracle.js";

const close = (found: ArrayLike<number>, wanted: readonly number[], digits: number) => {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((value, i) => expect(found[i], `number ${i}`).toBeCloseTo(value, digits));
};

test.each(["shrout", "anxiety"])(
  "differences of means where each rater rates each item once are paired t-tests: %s",
  (name) => {
    const { data, paired } = oracle(name) as {
      data: number[][];
      paired: Record<"none" | "holm" | "fdr_bh", number[]>;
    };
    const [whole] = meanEstimates(sumsOf(transposed(data)));
    const { p, p_holm, p_bh, df, std_error, half_width } = differencesOf(whole!.estimates);
    expect(df[0]).toBe(data.length - 1);
    close(
      half_width,
      Array.from(std_error, (error) => tQuantile(0.975, data.length - 1) * error),
      12,
    );
    close(p, paired.none, 10);
    close(p_holm, paired.holm, 10);
    close(p_bh, paired.fdr_bh, 10);
  },
);

const random = (rows: number): RaterPairCounts => {
  const pick = (seed: number, n: number) =>
    Math.floor(((Math.sin(seed * 12.9898) * 43758.5453 * 1000) % n) + n) % n;
  const a = Int32Array.from({ length: rows }, (_, k) => pick(k + 1, 4));
  return {
    items: 5,
    a,
    b: a.map((item, k) => item + 1 + pick(k + 7000, 4 - item)),
    raters: 12,
    rater: Int32Array.from({ length: rows }, (_, k) => k % 12),
    winsA: Float64Array.from({ length: rows }, (_, k) => pick(k + 99, 2)),
    winsB: Float64Array.from({ length: rows }, (_, k) => 1 - pick(k + 99, 2)),
    ties: new Float64Array(rows),
  };
};

test("the covariance of log worths has the clustered standard errors on its diagonal", () => {
  const counts = random(300);
  const [whole, ...others] = worthEstimates(counts, "half");
  expect(others).toEqual([]);
  const { covariance, value } = whole!.estimates;
  const { clustered } = sandwichErrors(pooled(counts), counts, fitWorths(pooled(counts), "half"));
  close(
    value.map((_, i) => Math.sqrt(covariance[6 * i]!)),
    [...clustered],
    12,
  );
});

/** Differences of items with values 3, 2, 1, 0, of which the given pairs have a small p-value. */
const differing = (small: number, ...pairs: string[]): Differences => {
  const covariance = Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? 1 : 0));
  const all = differencesOf({
    value: Float64Array.of(3, 2, 1, 0),
    covariance,
    raters: () => 9,
    order: [0, 1, 2, 3],
  });
  const p = Array.from(all.item_1, (i, k) =>
    pairs.includes(`${i}${all.item_2[k]}`) ? small : 0.5,
  );
  return { ...all, p };
};
const allPairs = ["01", "02", "03", "12", "13", "23"];

// Of six pairs each would need 0.0083; the family of an item's rank is its three comparisons.
test.each([
  { small: 0.016, pairs: [], best: [1, 1, 1, 1], worst: [4, 4, 4, 4] },
  { small: 0.016, pairs: ["03"], best: [1, 1, 1, 2], worst: [3, 4, 4, 4] },
  { small: 0.016, pairs: ["01", "02", "03"], best: [1, 2, 2, 2], worst: [1, 4, 4, 4] },
  { small: 0.018, pairs: ["01"], best: [1, 1, 1, 1], worst: [4, 4, 4, 4] },
  { small: 0.016, pairs: allPairs, best: [1, 2, 3, 4], worst: [1, 2, 3, 4] },
])("intervals of ranks if $pairs have p-values of $small", ({ small, pairs, best, worst }) => {
  const ranks = rankIntervals(4, 0, differing(small, ...pairs));
  expect([[...ranks.best], [...ranks.worst]]).toEqual([best, worst]);
  expect(ranks.worst[0] === 1).toBe(ranks.pFirst.every((p, i) => i === 0 || p < 0.05));
});

test.each([
  [1, 0.75],
  [3, 0.8045],
  [40, 0.8383],
  [1000, 0.8413],
])(
  "the probability of being best is that of Student's t, with %i degrees of freedom",
  (df, wanted) => {
    // Two items one standard error of the difference apart; 10,000 draws have a standard error of 0.004.
    const two = {
      value: Float64Array.of(1, 0),
      covariance: Float64Array.of(0.5, 0, 0, 0.5),
      order: [0, 1],
    };
    const [first = 0, second = 0] = probabilityBest(two, df);
    expect(Math.abs(first - wanted)).toBeLessThan(0.012);
    expect(first + second).toBeCloseTo(1, 12);
  },
);

test("too few raters, or items that never differ, have a reason and no number", () => {
  const one = meanEstimates(sumsOf([[1], [2]]));
  expect(differencesOf(one[0]!.estimates).reason).toEqual([reasons.fewRaters]);
  const same = meanEstimates(
    sumsOf([
      [1, 2],
      [2, 3],
    ]),
  );
  const { p, reason } = differencesOf(same[0]!.estimates);
  expect([p[0], reason[0]]).toEqual([NaN, reasons.noVariation]);
});

test("a ranking says in one sentence how many neighbours are separated", async () => {
  const warehouse = await loadCase("mushra.json");
  await recomputeBehind(warehouse, ["separation", "ranking", "differences"]);
  expect(
    await warehouse.all("select sentence, items, neighbours, separated, reason from separation"),
  ).toEqual([
    {
      sentence:
        "2 of 4 neighbours are separated at 5 %, as among all pairs; neural-6 is highest with probability 0.65, separated from 2 of 4 others.",
      items: 5,
      neighbours: 4,
      separated: 2,
      reason: null,
    },
  ]);
  expect(await warehouse.all("select item, rank_best, rank_worst from ranking limit 3")).toEqual([
    { item: "neural-6", rank_best: 1, rank_worst: 3 },
    { item: "opus-24", rank_best: 1, rank_worst: 3 },
    { item: "anchor70", rank_best: 1, rank_worst: 3 },
  ]);
  warehouse.close();
});

test("what holds within a class says so", async () => {
  const warehouse = await loadCase("codec-preference.json");
  await warehouse.all(`create table four as from ratings;
    create or replace view ratings as select * replace (
      rater_id % 4 as rater_id, score + case when stimulus in ('codec-a', 'codec-b') then 99 else 0 end as score) from four`);
  await recomputeBehind(warehouse, ["separation", "leaderboard"]);
  const sentences = await warehouse.all(
    "select class, items::integer as items, sentence from separation where estimate = 'bradley_terry' order by items",
  );
  expect(sentences.map(({ items }) => items)).toEqual([2, 6]);
  for (const { class: own, sentence } of sentences)
    expect(sentence).toMatch(
      new RegExp(
        `^Within class ${own as number}, \\d of \\d neighbours are separated at 5 %, as among all pairs; codec-\\w is best there with`,
      ),
    );
  const intervals = await warehouse.all(
    "select distinct interval from leaderboard where kind = 'bradley_terry'",
  );
  expect(intervals).toEqual([{ interval: "raters resampled; too narrow with fewer than 20" }]);
  warehouse.close();
});

test("with one rater every number that needs an error is null, with the reason", async () => {
  const warehouse = await loadCase("codec-preference.json");
  await warehouse.all(
    "create table one as from ratings; create or replace view ratings as select * replace (1 as rater_id) from one",
  );
  await recomputeBehind(warehouse, ["separation", "ranking", "differences"]);
  const reason = "fewer than two raters";
  const [found] = await warehouse.all(
    "select sentence, separated, probability_best, reason from separation",
  );
  expect(found).toEqual({
    sentence: `Nothing can be said about the differences of these 8 items: ${reason}.`,
    separated: null,
    probability_best: null,
    reason,
  });
  expect(await warehouse.all("select distinct p, is_separated, reason from differences")).toEqual([
    { p: null, is_separated: null, reason },
  ]);
  warehouse.close();
});

test("values that differ by rounding share a rank, in kernels and in SQL", async () => {
  const warehouse = await loadCase("mushra.json");
  // Half of 0.1 and half of 0.2: the mean of 144 such scores is 3e-17 above that of 144 times 0.15.
  await warehouse.all(`create table original as from ratings;
    create or replace view ratings as
      select * replace (case stimulus
        when 'opus-24' then 0.15
        when 'neural-6' then case when slate_id % 2 = 0 then 0.1 else 0.2 end
        else score / 1000 - 1 end as score)
      from original where not is_training`);
  await recomputeBehind(warehouse, ["leaderboard", "ranking"]);
  const first = "select item, rank::integer as rank from";
  const wanted = [
    { item: "neural-6", rank: 1 },
    { item: "opus-24", rank: 1 },
    { item: "anchor70", rank: 3 },
  ];
  expect(
    await warehouse.all(
      `${first} leaderboard where kind = 'mean' and source = '' and rank is not null limit 3`,
    ),
  ).toEqual(wanted);
  expect(await warehouse.all(`${first} ranking where estimate = 'mean' limit 3`)).toEqual(wanted);
  const [values] = await warehouse.all(
    "select count(distinct value)::integer as n from leaderboard where kind = 'mean' and source = '' and rank = 1",
  );
  expect(values).toEqual({ n: 2 });

  const random = seededRandom(3);
  const grid = [-1e6, -2, -1e-13, 0, 0.5, 1500];
  const drawn = Float64Array.from({ length: 300 }, () => {
    const value = grid[Math.floor(6 * random())]!;
    return (
      value +
      [0, 1e-12, 1e-9][Math.floor(3 * random())]! *
        Math.max(1, Math.abs(value)) *
        Math.floor(3 * random())
    );
  });
  const listed = [...drawn].map((value, place) => `(${place}, ${value}::double)`).join(", ");
  const rows = await warehouse.all(
    `select rank_of(value, 1)::integer as rank from (values ${listed}) as t (place, value) order by place`,
  );
  expect(rows.map(({ rank }) => rank)).toEqual([...ranksOf(drawn)]);
  expect(new Set(ranksOf(drawn)).size).toBeGreaterThan(12);
  warehouse.close();
});
