import { expect, test } from "vitest";
import { judgeRanks } from "../../../src/audit/compare/ranks.js";

const scores = new Map([
  ["a", 60],
  ["b", 50],
  ["c", 50],
  ["d", 40],
]);
const ranks = (...of: number[]) => of.map((rank, i) => ({ item: "abcd"[i] as string, rank }));
const wrong = (given: readonly number[], options = {}, of: ReadonlyMap<string, number> = scores) =>
  judgeRanks(ranks(...given), of, options).filter(({ rank, follows }) => rank !== follows);

test.each([
  ["one after another", [1, 2, 3, 4]],
  ["one after another, the tie the other way", [1, 3, 2, 4]],
  ["shared, with a gap", [1, 2, 2, 4]],
  ["shared, without a gap", [1, 2, 2, 3]],
  ["shared, in the middle", [1, 2.5, 2.5, 4]],
  ["from 0", [0, 1, 2, 3]],
])("ranks may go %s", (_, given) => {
  expect(wrong(given)).toEqual([]);
});

test.each([
  [
    "two exchanged",
    [2, 1, 3, 4],
    [
      ["a", 2, 1],
      ["b", 1, 2],
    ],
  ],
  ["one out of place", [1, 2, 2, 2], [["d", 2, 4]]],
  ["beyond the end", [1, 2, 3, 9], [["d", 9, 4]]],
])("ranks with %s contradict the scores", (_, given, expected) => {
  expect(wrong(given).map(({ item, rank, follows }) => [item, rank, follows])).toEqual(expected);
});

test("a tie of rounded scores is divided in the order of the exact ones", () => {
  const exact = new Map([
    ["b", 50.04],
    ["c", 49.96],
  ]);
  expect(wrong([1, 2, 3, 4], { exact })).toEqual([]);
  expect(wrong([1, 2, 2, 4], { exact })).toEqual([]);
  expect(wrong([1, 3, 2, 4], { exact }).map(({ item, follows }) => [item, follows])).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
});

test("the lowest may be first only if the scale may be reversed", () => {
  expect(wrong([4, 3, 2, 1])).not.toEqual([]);
  expect(wrong([4, 3, 2, 1], { isRising: true })).toEqual([]);
  expect(wrong([1, 2, 3, 4], { isRising: true })).not.toEqual([]);
  expect(wrong([4, 1, 2, 3], { isRising: true })).not.toEqual([]);
});

test("a list with missing items may have gaps, but not another order", () => {
  const of = new Map([
    ["a", 60],
    ["b", 50],
    ["c", 45],
  ]);
  expect(wrong([2, 5, 9], {}, of).length).toBeGreaterThan(0);
  expect(wrong([2, 5, 9], { isPartial: true }, of)).toEqual([]);
  expect(wrong([2, 9, 5], { isPartial: true }, of).length).toBeGreaterThan(0);
});

test("ranks of many items with one score are judged at once", () => {
  const items = Array.from({ length: 100_000 }, (_, i) => `clip-${i}`);
  const of = new Map(items.map((item) => [item, 4]));
  const exact = new Map(items.map((item, i) => [item, 4 - i / 1e7]));
  const given = items.map((item, i) => ({ item, rank: i + 1 }));
  const wrongOf = (all: typeof given) =>
    judgeRanks(all, of, { exact }).filter(({ rank, follows }) => rank !== follows);
  expect(wrongOf(given)).toEqual([]);
  const [first, second, ...rest] = given;
  expect(wrongOf([{ ...first!, rank: 2 }, { ...second!, rank: 1 }, ...rest])).toHaveLength(2);
});
