import { expect, it } from "vitest";
import { columnOfNumbers } from "../../../src/report/numbers.js";

it("numbers of a column share their decimals, and none is a negative zero", () => {
  expect(columnOfNumbers([2.084, -0.0004, -0.02, 0, null], 2)).toEqual([
    "2.08",
    "0.00",
    "-0.02",
    "0.00",
    "-",
  ]);
});
