import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalsOf, decimalsOfText, equalAt, precisionOf, unrounded } from "../../../src/audit/published/precision.js";

const of = (...values: number[]): ReturnType<typeof precisionOf> =>
  precisionOf(values.map((value) => ({ value, decimals: decimalsOf(value) })));

describe("precision", () => {
  test.each([
    [12.5, 1],
    [3, 0],
    [-0.001, 3],
    [1e-7, 7],
    [1.25e-9, 11],
    [1e21, 0],
  ])("decimals of %d", (value, decimals) => {
    expect(decimalsOf(value)).toBe(decimals);
  });

  test("counts the trailing zeros of text", () => {
    expect(decimalsOfText("12.50")).toBe(2);
    expect(decimalsOfText("1.5e-3")).toBe(4);
  });

  test("takes the most decimals of a set, since JSON drops trailing zeros", () => {
    expect(of(75, 32.1, 45.8)).toEqual({ decimals: 1, halfWidth: 0.05 });
    expect(of(75, 32.02614379084967)).toEqual(unrounded);
  });

  test("a number rounded to d decimals matches its original; one unit more does not", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e7, max: 1e7 }),
        fc.integer({ min: 0, max: 4 }),
        fc.double({ min: -0.499, max: 0.499, noNaN: true }),
        (units, d, off) => {
          const unit = 10 ** -d;
          const precision = { decimals: d, halfWidth: unit / 2 };
          expect(equalAt(units * unit, (units + off) * unit, precision)).toBe(true);
          expect(equalAt((units + 1.1) * unit, (units + off) * unit, precision, 0)).toBe(false);
        },
      ),
    );
  });
});
