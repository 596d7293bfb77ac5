import { describe, expect, test } from "vitest";
import { readShaped } from "../../../src/audit/published/scores.js";
import { messageOf, UsageError } from "../../../src/platform/errors.js";
import { templatesIn, unsaid } from "../../support/templates.js";

const shape = { entries: "$.board[*]", item: "$.who.label", fields: { value: "$.marks[0]", n: "$.marks[1]" } };

describe("readShaped", () => {
  const said: string[] = [];

  test("finds numbers by JSONPath", () => {
    const read = readShaped(shape, { board: [{ who: { label: "A" }, marks: [1.5, 10] }] });
    expect(read.problems).toEqual([]);
    expect(read.scores[0]?.identities).toEqual([{ key: "shape", name: "A" }]);
    expect(read.scores[0]?.fields).toEqual({ value: { value: 1.5, decimals: 1 }, n: { value: 10, decimals: 0 } });
  });

  test("reports entries without a name or number, and missing entries", () => {
    const { problems } = readShaped(shape, { board: [{ marks: [1] }, { who: { label: "B" } }] });
    said.push(...problems);
    expect(problems).toEqual([
      "entry 0: nothing at $.who.label, where the item's name should be",
      "entry 1: no number at any of the paths in fields",
      "no entries at $.board[*]",
    ]);
  });

  test("an invalid path is a usage error", () => {
    const read = (): unknown => readShaped({ ...shape, item: "$[" }, { board: [{}] });
    expect(read).toThrow(UsageError);
    try {
      read();
    } catch (error) {
      said.push(messageOf(error));
    }
    expect(said.at(-1)).toMatch(/^scores shape: "\$\[" is not a JSONPath: ./);
  });

  test("has a case for each of its texts", () => {
    expect(unsaid(templatesIn(["audit/published/shape.ts"]), said)).toEqual([]);
  });
});
