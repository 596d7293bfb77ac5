import { describe, expect, test } from "vitest";
import { findRepair } from "../../src/audit/repair/index.js";
import { createEvaluator } from "../../src/audit/evaluate/evaluator.js";
import { patched, type Scenario } from "../../src/audit/evaluate/scenario.js";
import { editText } from "../../src/audit/repair/repair.js";
import { fitOf } from "../../src/audit/target/target.js";
import type { RatingColumns } from "../../src/audit/ratings/rating-columns.js";
import { selectRatings } from "../../src/audit/ratings/population.js";
import type { Kind } from "../../src/metrics/kinds.js";
import type { Table } from "../../src/metrics/index.js";
import { own, publishedAs, syntheticRatings, tableOf } from "../support/audit/synthetic-ratings.js";
import { templatesIn, templatesOf, unsaid } from "../support/templates.js";

const study = syntheticRatings({ sessions: 60, items: 8, raters: 15, seed: 3 });
const counted = selectRatings(study, own.population);
const isCounted = (i: number): boolean => counted[i] === 1;
const evaluator = createEvaluator(study);

interface Case {
  readonly says: string;
  readonly kind: Kind;
  readonly table: Table;
  readonly near?: { readonly name: string; readonly scenario: Scenario; readonly nameBits: number };
}

const edited = (...of: Parameters<typeof tableOf> extends [RatingColumns, ...infer Rest] ? Rest : never): Table =>
  tableOf(study, ...of);
const table = (kind: Kind): Table => evaluator.table(kind, own);
const changed = (kind: Kind, of: (value: number, field: string, item: string) => number): Table => {
  const { items, columns } = table(kind);
  return {
    items,
    columns: Object.fromEntries(
      Object.entries(columns).map(([field, column]) => [field, column.map((v, i) => of(v, field, items[i] ?? ""))]),
    ),
  };
};
const withItems = (kind: Kind, of: (item: string) => string | null): Table => {
  const { items, columns } = table(kind);
  const from = items.map(of);
  const kept = from.flatMap((item, i) => (item === null ? [] : [i]));
  return {
    items: kept.map((i) => from[i] as string),
    columns: Object.fromEntries(
      Object.entries(columns).map(([field, column]) => [field, Float64Array.from(kept, (i) => column[i] as number)]),
    ),
  };
};
const swap =
  (moves: Record<string, string>) =>
  (item: string): string =>
    moves[item] ?? item;
const before = (rank: number, kind: Kind): Table =>
  evaluator.table(kind, patched(own, { population: { first_sessions: rank } }));

/** A result with an item that has the numbers of another. */
const copied = (kind: Kind, from: string, to: string): Table => {
  const { items, columns } = table(kind);
  const index = items.map((item) => items.indexOf(item === to ? from : item));
  return {
    items,
    columns: Object.fromEntries(
      Object.entries(columns).map(([field, column]) => [field, Float64Array.from(index, (i) => column[i] as number)]),
    ),
  };
};
const merged = (from: string, to: string): RatingColumns => ({
  ...study,
  stimuli: study.stimuli.map((s) => (s.item === from ? { ...s, item: to } : s)),
});
const isUnfinished = (i: number): boolean => study.training[i] === 0;
const isTraining = (i: number): boolean => study.completed[i] === 1 && study.training[i] === 1;
const trained = patched(own, { population: { training: "include" } });
const near = { name: "training=include", scenario: trained, nameBits: 2 };
const trainedWithout40 = createEvaluator({
  ...study,
  score: study.score.map((s, i) => (study.session[i] === 40 ? NaN : s)),
}).table("elo", trained);

/** Each with the case that leads to it. */
const cases: readonly Case[] = [
  {
    says: "the numbers match when session s40 is left out",
    kind: "percent_chosen",
    table: edited("percent_chosen", "dropped", "session", [40], isCounted),
  },
  {
    says: "the numbers match when sessions s40 and s44 are left out",
    kind: "elo",
    table: edited("elo", "dropped", "session", [40, 44], isCounted),
  },
  {
    says: "the numbers match when rater rater-4 is counted twice",
    kind: "elo",
    table: edited("elo", "doubled", "rater", [4], isCounted),
  },
  {
    says: "the numbers match when session s44 is reversed",
    kind: "elo",
    table: edited("elo", "flipped", "session", [44], isCounted),
  },
  {
    says: "the numbers match when slate 11001 is counted as a tie",
    kind: "elo",
    table: edited("elo", "tied", "slate", [1001], isCounted),
  },
  {
    says: "the numbers match when slate 10108 is left out (15 other changes do as well)",
    kind: "percent_chosen",
    table: edited("percent_chosen", "dropped", "slate", [1001], isCounted),
  },
  {
    says: "the numbers match when session s58, not completed, is also counted",
    kind: "elo",
    table: edited("elo", "added", "session", [58], isUnfinished),
  },
  {
    says: "the numbers match when the ratings of slate 11163 in sessions that were not completed are also counted",
    kind: "elo",
    table: edited("elo", "added", "slate", [1163], isUnfinished),
  },
  {
    says: "the numbers match when the training ratings of session s44 are also counted",
    kind: "elo",
    table: edited("elo", "added", "session", [44], isTraining),
  },
  {
    says: "under training=include, the numbers match when session s40 is left out",
    kind: "elo",
    table: trainedWithout40,
    near,
  },
  {
    says: "the numbers match a result from before session s57 was completed",
    kind: "elo",
    table: before(57, "elo"),
  },
  {
    says: "the numbers match a result from before the last 4 sessions were completed",
    kind: "elo",
    table: before(54, "elo"),
  },
  {
    says: "the numbers of item-000 and item-001 are swapped",
    kind: "elo",
    table: withItems("elo", swap({ "item-000": "item-001", "item-001": "item-000" })),
  },
  {
    says: "the numbers of 3 items are swapped: item-000 has those of item-002, item-001 has those of item-000, item-002 has those of item-001",
    kind: "elo",
    table: withItems("elo", swap({ "item-000": "item-001", "item-001": "item-002", "item-002": "item-000" })),
  },
  {
    says: "item-000 is published under the name item-009",
    kind: "elo",
    table: withItems("elo", swap({ "item-000": "item-009" })),
  },
  {
    says: "item-002 is published with the numbers of item-000",
    kind: "elo",
    table: copied("elo", "item-000", "item-002"),
  },
  {
    says: "the ratings of item-003 are counted as item-005",
    kind: "elo",
    table: createEvaluator(merged("item-003", "item-005")).table("elo", own),
  },
  {
    says: "item-004 is not published; every other item matches",
    kind: "elo",
    table: withItems("elo", (item) => (item === "item-004" ? null : item)),
  },
  {
    says: "item-001, item-002, item-003, item-004, item-005 and 1 more are not published; every other item matches",
    kind: "elo",
    table: withItems("elo", (item) => (item > "item-000" && item < "item-007" ? null : item)),
  },
  {
    says: "the value of item-001 is 3 too high",
    kind: "elo",
    table: changed("elo", (v, field, item) => (item === "item-001" && field === "value" ? v + 3 : v)),
  },
  {
    says: "the n of every item is 1 too low",
    kind: "elo",
    table: changed("elo", (v, field) => (field === "n" ? v - 1 : v)),
  },
  {
    says: "the wins of every item are 17 too high",
    kind: "win_loss",
    table: changed("win_loss", (v, field) => (field === "wins" ? v + 17 : v)),
  },
  {
    says: "the value of item-001 is 1.02 times what it should be",
    kind: "elo",
    table: changed("elo", (v, field, item) => (item === "item-001" && field === "value" ? v * 1.02 : v)),
  },
  {
    says: "only value differs, for item-001; every other number matches",
    kind: "elo",
    table: changed("elo", (v, field, item) => (item === "item-001" && field === "value" ? v + 0.1234567 : v)),
  },
  {
    says: "only value differs, in 2 items; every other number matches",
    kind: "elo",
    table: changed("elo", (v, field, item) => (item < "item-002" && field === "value" ? v + 0.1234567 : v)),
  },
  {
    says: "only item-001 differs; every other item matches",
    kind: "win_loss",
    table: changed("win_loss", (v, _, item) => (item === "item-001" ? v + 17 : v)),
  },
];

describe("each sentence about the smallest difference", () => {
  const said: string[] = [];

  test.each(cases)("$says", ({ says, kind, table: published, near = null }) => {
    const target = publishedAs(kind, published);
    const found = findRepair(target, evaluator, own, near);
    expect(found?.says).toBe(says);
    if (found?.gives) expect(fitOf(target, found.gives).misses, "it gives the published numbers").toEqual([]);
    said.push(found?.says ?? "");
  });

  test("has a case", () => {
    const edit = { unit: "slate", alteration: "tied", pool: null } as const;
    said.push(editText(edit, ["7"], 1), editText(edit, ["7"], 1200));
    expect(unsaid(templatesIn(["audit/repair"]), said)).toEqual([]);
  });

  test("is missed if it has none", () => {
    const planted = templatesOf("planted.ts", "const a = `${n} items were ${b ? 'never' : 'only once'} seen`;");
    expect(unsaid(planted, ["3 items were never seen"])).toEqual(["planted.ts: only once"]);
  });
});
