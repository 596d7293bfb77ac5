import { describe, expect, test } from "vitest";
import { findRepair, renamedItems } from "../../src/audit/explain/repair-items.js";
import { candidateOf } from "../../src/audit/explain/search.js";
import { createEvaluator, type Evaluator } from "../../src/audit/recompute/evaluator.js";
import { fitOf, type Target } from "../../src/audit/compare/target.js";
import type { Kind, Table } from "../../src/metrics/index.js";
import { own, publishedAs, syntheticRatings } from "../support/audit/synthetic-ratings.js";
import { isWhole } from "../support/whole.js";

const study = syntheticRatings({ sessions: 60, items: 8, raters: 15, seed: 3 });
const evaluator = createEvaluator(study);

const shownBy = (target: Target, of: Evaluator) =>
  candidateOf(target, of, [], { unit: null, scenario: own });

type Case = readonly [Kind, Table];

const table = (kind: Kind, scenario = own): Table => evaluator.table(kind, scenario);

const rowsAs = (
  kind: Kind,
  rows: readonly (readonly [item: string, name: string])[],
  scenario = own,
): readonly [Kind, Table] => {
  const { items, columns } = table(kind, scenario);
  const at = rows.map(([item]) => items.indexOf(item));
  const own = Object.entries(columns).map(([field, column]) => [
    field,
    Float64Array.from(at, (i) => column[i]!),
  ]);
  return [
    kind,
    { items: rows.map(([, name]) => name), columns: Object.fromEntries(own) as Table["columns"] },
  ];
};
const withItems = (kind: Kind, of: (item: string) => string | null, scenario = own) =>
  rowsAs(
    kind,
    table(kind).items.flatMap((item) => {
      const name = of(item);
      return name === null ? [] : [[item, name] as const];
    }),
    scenario,
  );

const copied = (kind: Kind, from: string, to: string): Case =>
  rowsAs(
    kind,
    table(kind).items.map((item) => [item === to ? from : item, item]),
  );
const swap =
  (moves: Record<string, string>) =>
  (item: string): string =>
    moves[item] ?? item;

const cases: Readonly<Record<string, Case>> = {
  "the numbers of item-000 and item-001 are swapped": withItems(
    "elo",
    swap({ "item-000": "item-001", "item-001": "item-000" }),
  ),
  "the numbers of 3 items are swapped: item-000 has those of item-002, item-001 has those of item-000, item-002 has those of item-001":
    withItems(
      "elo",
      swap({ "item-000": "item-001", "item-001": "item-002", "item-002": "item-000" }),
    ),
  "published item-009 agrees with the recomputed item item-000": withItems(
    "elo",
    swap({ "item-000": "item-009" }),
  ),
  "item-002 is published with the numbers of item-000": copied("elo", "item-000", "item-002"),
  "item-004 is not published; every other item matches": withItems("elo", (item) =>
    item === "item-004" ? null : item,
  ),
  "item-001, item-002, item-003, item-004, item-005 and 2 more are not published; every other item matches":
    withItems("elo", (item) => (item > "item-000" && item < "item-008" ? null : item)),
};

describe("each sentence about the smallest difference", () => {
  test.each(Object.entries(cases))("%s", (says, [kind, published]) => {
    const target = publishedAs(kind, published);
    const found = findRepair(shownBy(target, evaluator));
    expect(found?.says).toBe(says);
    if (found?.gives)
      expect(fitOf(target, found.gives).misses, "it gives the published numbers").toEqual([]);
  });
});

test("of many items, one that has another name and two that are swapped are found", () => {
  const count = isWhole ? 30_000 : 3_000;
  const items = Array.from({ length: count }, (_, i) => `clip-${i}`);
  const many = { items, columns: { value: Float64Array.from(items, (_, i) => Math.sqrt(i)) } };
  const shownAs = (names: readonly string[]): Target =>
    publishedAs("mean", { ...many, items: names }, 6, ["value"]);
  const [first = "", second = "", ...rest] = items;
  const renamed = shownAs(["other", second, ...rest]);
  expect(renamedItems(renamed, many)).toEqual([{ published: "other", recomputed: first }]);
  expect(renamedItems(shownAs(items.map((item) => `${item}.wav`)), many)).toHaveLength(count);
  const constant = { ...evaluator, table: () => many };
  expect(findRepair(shownBy(shownAs([second, first, ...rest]), constant))).toMatchObject({
    change: "exchanged",
    ids: [first, second],
  });
});
