import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PublishedList as List } from "../../../src/contract/index.js";
import { readRecords, withUnread } from "../../../src/audit/read/records.js";
import { declaredRecords } from "../../../src/audit/read/shapes.js";
import { UsageError } from "../../../src/platform/errors.js";

const listedIn = (list: List) => ({ list, home: null, id: "B1" });
const read = (list: List, raw: Record<string, unknown>) => readRecords(listedIn(list), raw);
const scores = [
  ["a", 60],
  ["b", 40],
];
const none = { home: null, sources: [], experiments: [], jobs: [], leaderboards: [] };

describe("one element of the metrics list", () => {
  test.each([
    [
      "as the contract has it",
      {
        kind: "elo",
        dimension: "motion",
        source: "j1",
        scores,
        options: { k: 16 },
        experiment_id: "e1",
        job_id: null,
      },
      {
        kind: "elo",
        dimension: "motion",
        refs: { ...none, sources: ["j1"], experiments: ["e1"] },
        options: { k: 16 },
      },
    ],
    [
      "with other names",
      { metric: "Bayesian Elo", sources: ["j2", "j1"], values: scores, parameters: { shape: 5 } },
      {
        kind: "bayesian_elo",
        dimension: null,
        refs: { ...none, sources: ["j2", "j1"] },
        options: { shape: 5 },
      },
    ],
    [
      "with objects",
      {
        metric: { id: 3, name: "mean" },
        experiment: { id: "e1", name: "First" },
        jobs: [{ id: "j1" }, { id: "j2" }],
        results: scores,
      },
      { kind: "mean", refs: { ...none, experiments: ["e1"], jobs: ["j1", "j2"] } },
    ],
    [
      "in camel case",
      { metricName: "winLoss", experimentId: "e1", sourceId: 7, entries: scores },
      { kind: "win_loss", refs: { ...none, experiments: ["e1"], sources: ["7"] } },
    ],
    [
      "named only by its name",
      { id: "m1", name: "percent_chosen", source: "j1, j2", data: { a: 60, b: 40 } },
      {
        kind: "percent_chosen",
        refs: { ...none, sources: ["j1", "j2"] },
        scores: { a: 60, b: 40 },
      },
    ],
  ])("%s", (_, raw, expected) => {
    expect(read("metrics", raw)).toMatchObject([{ scores, published_in: "metrics", ...expected }]);
  });

  test("may be one score of several, hold several kinds, or hold records", () => {
    expect(
      read("metrics", { id: "m1", kind: "elo", source: "e1", stimulus: "a", value: 60 }),
    ).toMatchObject([{ kind: "elo", isEntry: true, scores: [{ stimulus: "a", value: 60 }] }]);
    expect(
      read("metrics", { source: "e1", scores: { elo: scores, mean: { a: 3 } } }),
    ).toMatchObject([
      { kind: "elo", scores },
      { kind: "mean", scores: { a: 3 } },
    ]);
    const inner = [
      { kind: "elo", scores },
      { kind: "mean", dimension: "x", scores: [["a", 1]] },
    ];
    expect(read("metrics", { experiment_id: "e1", results: inner })).toMatchObject([
      { kind: "elo", refs: { experiments: ["e1"] }, scores },
      { kind: "mean", dimension: "x", refs: { experiments: ["e1"] } },
    ]);
  });

  test("names the fields with numbers beside its scores", () => {
    const raw = {
      id: "m1",
      kind: "elo",
      source: 7,
      scores,
      values: [["a", 61]],
      mean: 3,
      options: { k: 16 },
      job_id: 5,
    };
    const unread = (element: Record<string, unknown>) =>
      withUnread(listedIn("metrics"), element, read("metrics", element)).map(
        (record) => record.unread,
      );
    expect(unread(raw)).toEqual([["values", "mean"]]);
    expect(unread({ source: "e1", scores: { elo: scores, glicko: { a: 3 } } })).toEqual([
      ["scores.glicko.a"],
    ]);
    expect(unread({ id: "m1", kind: "elo", stimulus: "a", value: 60 })).toEqual([[]]);
    expect(unread({ id: "m1", table: { deep: { odd: [["a", 60]] } } })).toEqual([
      ["table.deep.odd"],
    ]);
  });

  test("is a record even if nothing in it can be read", () => {
    expect(read("metrics", { kind: "elo", source: "e1" })).toMatchObject([
      { kind: "elo", scores: undefined },
    ]);
    expect(read("metrics", { source: "e1", value: 3.2 })).toMatchObject([
      { kind: "", scores: 3.2 },
    ]);
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            "kind",
            "metric",
            "scores",
            "value",
            "source",
            "results",
            "stimulus",
            "leaderboards",
            "x",
          ),
          fc.jsonValue(),
        ),
        (raw) => {
          expect(read("metrics", raw).length).toBeGreaterThan(0);
          expect(read("leaderboards", raw).length).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe("a leaderboard", () => {
  test("with columns for several metrics is one record for each", () => {
    const rows = [
      { name: "a", elo: 2010, percent_chosen: 60, n: 10 },
      { name: "b", elo: 1990, n: 10 },
    ];
    expect(read("leaderboards", { id: "B1", scores: rows })).toMatchObject([
      {
        published_in: "leaderboard B1",
        kind: "percent_chosen",
        scores: [{ name: "a", percent_chosen: 60, n: 10 }],
      },
      {
        kind: "elo",
        scores: [
          { name: "a", elo: 2010, n: 10 },
          { name: "b", elo: 1990, n: 10 },
        ],
      },
    ]);
  });

  test.each([
    ["no scores", { id: "B1", name: "Soon" }],
    ["only text", { id: "B1", scores: [{ name: "a", note: "first" }, ["b", "second"]] }],
    [
      "only identifiers and dates",
      { id: "B1", rows: [{ stimulus_id: 17, id: 4, date_updated: "2026-01-01", name: "a" }] },
    ],
    ["nothing yet", { id: "B1", kind: "elo", scores: [] }],
  ])("with %s gives no record", (_, raw) => {
    expect(read("leaderboards", raw)).toEqual([]);
  });

  test("with numbers of an unknown meaning gives a record without a kind", () => {
    expect(read("leaderboards", { id: "B1", entries: [{ name: "a", points: 3 }] })).toMatchObject([
      { kind: "", scores: [{ name: "a", points: 3 }] },
    ]);
  });

  test("inside a rubric is read like any other and names the rubric", () => {
    const rubric = {
      id: "R1",
      name: "All",
      leaderboards: [
        { id: "B1", kind: "elo", experiment_ids: ["e1"], scores },
        { id: "B2", name: "Soon" },
      ],
    };
    expect(readRecords({ list: "rubrics", home: null, id: "R1" }, rubric)).toMatchObject([
      {
        published_in: "rubric R1, leaderboard B1",
        kind: "elo",
        refs: { experiments: ["e1"] },
        scores,
      },
    ]);
  });
});

describe("a declared shape", () => {
  const raw = {
    study: { key: "e1" },
    what: "ELO",
    table: { cells: [{ who: "a", how: 1 }] },
    asked: ["j1", "j2"],
  };

  test("locates the parts that it states, and leaves the others to the lenient reader", () => {
    const shape = { kind: "$.what", source: "$.asked[*]", scores: "$.table.cells" };
    expect(declaredRecords(shape, listedIn("metrics"), raw)).toMatchObject([
      { kind: "elo", refs: { sources: ["j1", "j2"] }, scores: raw.table.cells, dimension: null },
    ]);
    const listed = { each: [raw, { ...raw, what: "mean" }] };
    expect(
      declaredRecords(
        { ...shape, records: "$.each[*]", dimension: "$.study.key" },
        listedIn("metrics"),
        listed,
      ),
    ).toMatchObject([{ kind: "elo", dimension: "e1" }, { kind: "mean" }]);
  });

  test("with an invalid JSONPath is a usage error", () => {
    expect(() => declaredRecords({ kind: "what?" }, listedIn("metrics"), raw)).toThrow(UsageError);
    expect(() => declaredRecords({ kind: "what?" }, listedIn("metrics"), raw)).toThrow(
      /^record_shapes\.metrics\.kind: "what\?" is not a JSONPath: .* Write one such as \$\.kind\.$/,
    );
  });
});
