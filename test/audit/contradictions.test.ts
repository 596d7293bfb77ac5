import { expect, test } from "vitest";
import { contradictionsAmong } from "../../src/audit/compare/contradictions.js";
import { madeUpGroup } from "../support/audit/synthetic-ratings.js";

const record = (values: readonly number[], place = "results", options = {}) => ({
  ...madeUpGroup(
    "percent_chosen",
    values.map((value) => ({ stimulus: "a", value })),
    ["a"],
    options,
  ),
  published_in: place,
});

test.each([
  ["columns of one board", [record([22.92], "results/1"), record([-54.17], "results/2")], 0],
  ["two boards", [record([22.92], "results/a"), record([-54.17], "results/b")], 1],
  [
    "a column of one board elsewhere",
    [record([22.92], "results/1"), record([-52], "results/2"), record([-52], "metrics")],
    0,
  ],
  ["other options", [record([22.92]), record([-54.17], "metrics", { share: "net" })], 0],
  ["another rounding", [record([22.92]), record([22.9], "metrics")], 0],
  ["another value elsewhere", [record([22.92]), record([23.92], "metrics")], 1],
  ["two values of one record", [record([22.92, 23.92])], 1],
])("%s: %#", (_, groups, expected) => {
  expect(contradictionsAmong(groups)).toHaveLength(expected);
});
