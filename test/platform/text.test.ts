import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditJson } from "../../src/audit/index.js";
import { didYouMean, jsonPieces } from "../../src/platform/index.js";
import { renderJunit } from "../../src/report/index.js";
import { reportOf, row } from "../support/audit-report.js";
import { runsOf } from "../support/whole.js";

const odd = fc.string({ unit: "binary" });
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }),
  fc.dictionary(
    odd,
    fc.oneof(odd, fc.constant(undefined), fc.double(), fc.array(fc.dictionary(odd, odd))),
  ),
);

describe("a long text in pieces", () => {
  it("is the JSON of the whole, whatever the texts", () => {
    fc.assert(
      fc.property(value, fc.nat(2100), (one, repeats) => {
        const whole = { one, list: Array.from({ length: repeats }, () => one) };
        expect([...jsonPieces(whole)].join("")).toBe(JSON.stringify(whole, null, 2));
      }),
      { numRuns: runsOf(50) },
    );
  });

  it.each([
    ["audit.json", auditJson],
    ["JUnit XML", renderJunit],
  ])("has no piece of %s that grows with the number of results", (_, pieces) => {
    const rows = Array.from({ length: 4000 }, (__, i) =>
      row(`item ${i}`, "exact", { experiment_id: `e${i >> 7}`, experiment_name: "" }),
    );
    const different = rows.map(({ experiment_id, item: stimulus }) => ({
      ...{ experiment_id, slate_id: "1", session_id: "s", stimulus, dimension: "" },
      ...{ published: true, recomputed: false },
    }));
    const report = reportOf(rows, {
      correctness: { compared: 4000, equal: 0, compared_in: {}, different, inconclusive: [] },
    });
    const all = [...pieces(report)];
    const lengths = all.map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(0.3 * all.join("").length);
  });
});

it("the pieces of audit.json make the text that JSON.stringify would make", () => {
  const report = reportOf(
    Array.from({ length: 2500 }, (_, i) => row(`"${i}\n\u2028\ud800`, "unexplained")),
  );
  expect([...auditJson(report)].join("")).toBe(`${JSON.stringify(report, null, 2)}\n`);
});

it.each([
  ["lak", ["raw", "lake", "bundle"], "lake"],
  ["--jsn", ["--json", "--junit"], "--json"],
  ["form", ["from", "forms"], "from"],
  ["Depth", ["rows", "depth"], "depth"],
  ["concurency", ["concurrency", "currency"], "concurrency"],
  ["kk", ["k", "scale"], "k"],
])("suggests the nearest name for %s", (mistyped, known, nearest) => {
  expect(didYouMean(mistyped, known)).toBe(` Did you mean ${nearest}?`);
});
