import { describe, expect, test } from "vitest";
import { readShaped } from "../../../src/audit/published/shape.js";
import { UsageError } from "../../../src/platform/errors.js";

const shape = { entries: "$.board[*]", item: "$.who.label", fields: { value: "$.marks[0]", n: "$.marks[1]" } };

describe("readShaped", () => {
  test("finds numbers by JSONPath", () => {
    const read = readShaped(shape, { board: [{ who: { label: "A" }, marks: [1.5, 10] }] });
    expect(read.problems).toEqual([]);
    expect(read.scores[0]?.identities).toEqual([{ key: "shape", name: "A" }]);
    expect(read.scores[0]?.fields).toEqual({ value: { value: 1.5, decimals: 1 }, n: { value: 10, decimals: 0 } });
  });

  test("reports entries without a name or number, and missing entries", () => {
    expect(readShaped(shape, { board: [{ marks: [1] }, { who: { label: "B" } }] }).problems).toEqual([
      "entry 0: nothing at $.who.label, where the item's name should be",
      "entry 1: no number at any of the paths in fields",
      "no entries at $.board[*]",
    ]);
  });

  test("an invalid path is a usage error", () => {
    expect(() => readShaped({ ...shape, item: "$[" }, { board: [{}] })).toThrow(UsageError);
  });
});
