import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdsNumbers } from "../../../src/audit/read/leaves.js";
import { canonicalField, readScores, type PublishedScore } from "../../../src/audit/read/scores.js";
import { readShaped } from "../../../src/audit/read/shapes.js";
import { UsageError } from "../../../src/platform/errors.js";

const fieldsOf = ({ numbers }: PublishedScore): Record<string, number> =>
  Object.fromEntries(numbers.toReversed().map(({ field, value }) => [field, value]));
const values = (kind: string, scores: unknown): [string | undefined, Record<string, number>][] =>
  readScores(kind, scores).scores.map((s) => [s.identities[0]?.name, fieldsOf(s)]);

test("a kind's own field names are known without being listed", () => {
  expect(canonicalField("elo", "value")).toBe("value");
  expect(canonicalField("elo", "constructor")).toBeUndefined();
  expect(canonicalField("bayesian_elo", "ciLow")).toBe("p025");
});

describe("readScores", () => {
  test.each([
    [
      "objects",
      [
        { stimulus: "A", value: 1.5 },
        { stimulus: "B", value: 2 },
      ],
    ],
    [
      "the kind's own name",
      [
        { name: "A", elo: 1.5 },
        { name: "B", elo: 2 },
      ],
    ],
    [
      "pairs",
      [
        ["A", 1.5],
        ["B", 2],
      ],
    ],
    ["an object keyed by identity", { A: 1.5, B: { rating: 2 } }],
    ["objects keyed by identity in an array", [{ A: 1.5 }, { B: 2 }]],
    [
      "text that is a number",
      [
        { item: "A", score: "1.5" },
        { item: "B", score: "2" },
      ],
    ],
    [
      "a stimulus object",
      [
        { stimulus: { id: 7, name: "A" }, value: 1.5 },
        { stimulus: { name: "B" }, value: 2 },
      ],
    ],
    [
      "nested values",
      [
        { stimulus: "A", elo: { value: 1.5 } },
        { stimulus: "B", scores: { value: 2 } },
      ],
    ],
  ])("reads %s", (_, scores) => {
    const read = readScores("elo", scores);
    expect(read.problems).toEqual([]);
    const named = read.scores.map((s) => [
      s.identities.some((i) => ["A", "B"].includes(i.name)),
      fieldsOf(s).value,
    ]);
    expect(named).toEqual([
      [true, 1.5],
      [true, 2],
    ]);
  });

  test("reads counts and a rank, and counts the numbers of fields without a definition", () => {
    const { scores, unread } = readScores("win_loss", [
      { method: "A", won: 3, lost: 1, draws: 0, n: 4, rank: 1, note: "x", odd: [1, 2], wins: "?" },
    ]);
    const [score] = scores;
    expect(score && fieldsOf(score)).toEqual({ wins: 3, losses: 1, ties: 0, n: 4 });
    expect(score?.rank).toBe(1);
    expect(unread).toEqual(["wins", "odd", "odd"]);
  });

  test("gives each interval end one name per kind", () => {
    expect(values("stats", [{ name: "A", mean: 2, ci: [1, 3], sd: 0.5, p25: 1.5 }])).toEqual([
      ["A", { mean: 2, ci_low: 1, ci_high: 3, std: 0.5, q1: 1.5 }],
    ]);
    expect(
      values("bayesian_elo", [
        { name: "A", value: 2, lower: 1, upper: 3, "p0.5": 0, p05: 9, p5: 8 },
      ]),
    ).toEqual([["A", { value: 2, p025: 1, p975: 3, p005: 0, p05: 9 }]]);
  });

  test.each([
    ["null", null],
    ["text", "nothing"],
    ["an empty object", {}],
    ["elements without identity", [{ wins: 3, losses: 1 }]],
    ["elements without numbers", [5, null, ["A"]]],
  ])("reports what it cannot read: %s", (_, scores) => {
    const read = readScores("win_loss", scores);
    expect(read.scores).toEqual([]);
    expect(read.problems.length).toBeGreaterThan(0);
  });

  test("never throws and never invents a number, for any JSON", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("elo", "stats", "win_loss", "bayesian_elo", "surprise"),
        fc.jsonValue(),
        (kind, json) => {
          for (const score of readScores(kind, json).scores) {
            for (const n of score.numbers) {
              expect(Number.isFinite(n.value)).toBe(true);
              expect(Number.isInteger(n.decimals) && n.decimals >= 0).toBe(true);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

const shape = {
  entries: "$.board[*]",
  item: "$.who.label",
  fields: { value: "$.marks[0]", n: "$.marks[1]" },
};

describe("a published value", () => {
  test.each([
    ["digits of any script", { listeners: "４２", votes: "٤٢" }],
    ["a Roman rank", { rank: "I" }],
    ["a Roman number", { standing: "III" }],
    [
      "a number inside a sentence",
      { note: "Listeners gave it 4.2 points on average, which is more than the others." },
    ],
    ["a number named like an identifier", { votes_id: 43 }],
    ["a number named like a time", { mean_time: 12.5 }],
    ["a list named like an identifier", { id: [7] }],
    ["a claim", { winner: false }],
    ["a list of claims", { beats: ["codec-a"] }],
    ["a claim in words", { best: "yes", significantly_better_than: "codec-a" }],
    [
      "a number with a unit or an error",
      { support: "12 votes", approval: "43.4 %", error: "± 12", range: "40.1–47.2" },
    ],
    ["a fraction", { of: "86/262", share: "½" }],
    ["a number beside a date", { note: "2026-03-01: mean 4.2", seeded: "#3" }],
    ["a number named like a date or a version", { date_score: 4, score_version: 4.2 }],
  ])("holds a number or a claim: %s", (_, value) => {
    for (const [name, own] of Object.entries<unknown>(value))
      expect(holdsNumbers({ [name]: own })).toBe(true);
  });

  test.each([
    [
      "an identifier",
      { id: 7, stimulus_id: 207, job_id: 1, uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6" },
    ],
    ["a name", { experiment_name: "Round 3", label: "Codec 7", color: "codec-7" }],
    [
      "an instant",
      {
        created_at: 1767225600,
        date: "2026-03-01T00:00:00Z",
        note: "since 2026-03-01",
        time: "12:30",
      },
    ],
    ["an address", { url: "https://example.org:8080/clips/7.wav" }],
    ["an absent claim", { winner: null, best: "" }],
    ["a word", { note: "mix", group: "B" }],
  ])("holds no number or claim: %s", (_, value) => {
    for (const [name, own] of Object.entries(value))
      expect([name, holdsNumbers({ [name]: own })]).toEqual([name, false]);
  });
});

describe("readShaped", () => {
  test("finds numbers by JSONPath", () => {
    const read = readShaped("elo", shape, { board: [{ who: { label: "A" }, marks: [1.5, 10] }] });
    expect(read.problems).toEqual([]);
    expect(read.scores[0]?.identities).toEqual([{ key: "shape", name: "A" }]);
    expect(read.scores[0]?.numbers).toEqual([
      { field: "value", key: "value", value: 1.5, decimals: 1 },
      { field: "n", key: "n", value: 10, decimals: 0 },
    ]);
  });

  test("reports entries without a name or number, and missing entries", () => {
    const { problems } = readShaped("elo", shape, {
      board: [{ marks: [1] }, { who: { label: "B" } }],
    });
    expect(problems).toEqual([
      "entry 0: nothing at $.who.label, where the item's name should be",
      "entry 1: no number at any of the paths in fields",
      "no entries at $.board[*]",
    ]);
  });

  test("an invalid path is a usage error", () => {
    const read = (): unknown =>
      readShaped("leaderboards.elo", { ...shape, item: "$[" }, { board: [{}] });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(
      /^score_shapes\.leaderboards\.elo\.item: "\$\[" is not a JSONPath: .* Write one such as \$\.item\.$/,
    );
  });
});
