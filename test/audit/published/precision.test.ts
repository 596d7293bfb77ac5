import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decimalsOf,
  equalAt,
  halfWidthAt,
  precisionOf,
  unrounded,
} from "../../../src/audit/read/precision.js";

const of = (values: readonly number[]): ReturnType<typeof precisionOf> =>
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
    expect(decimalsOf("12.50")).toBe(2);
    expect(decimalsOf("1.5e-3")).toBe(4);
  });

  test("takes the most decimals of a set, since JSON drops trailing zeros", () => {
    expect(of([75, 32.1, 45.8])).toEqual({ decimals: 1, halfWidth: 0.05 });
    expect(of([75, 32.02614379084967])).toEqual(unrounded);
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

/** The shortest decimal that identifies the number in single precision, as many libraries write it. */
function short(value: number): number {
  const single = Math.fround(value);
  for (let digits = 1; ; digits++)
    if (Math.fround(Number(single.toPrecision(digits))) === single)
      return Number(single.toPrecision(digits));
}

const computed = [
  2186.46912345678, 1891.734987654321, 1985.3341234987, 2013.48321987, 2046.25298712345,
  1785.7721293847,
];

describe("single-precision numbers", () => {
  test("written in full, they match only numbers that round to them", () => {
    const published = computed.map(Math.fround);
    const precision = of(published);
    expect(precision).toMatchObject({ decimals: null, single: 0 });
    published.forEach((value, i) => {
      expect(equalAt(value, computed[i] as number, precision)).toBe(true);
      expect(equalAt(value, (computed[i] as number) * (1 + 2 ** -22), precision)).toBe(false);
    });
  });

  test("one double among them, or only two numbers, prove nothing", () => {
    expect(of([...computed.slice(1).map(Math.fround), computed[0] as number])).toEqual({
      decimals: null,
      halfWidth: 0,
    });
    expect(of(computed.slice(0, 2).map(Math.fround)).single).toBeUndefined();
    expect(of([3.140625, 2.796875, 4.109375])).toEqual({ decimals: 6, halfWidth: 0.5e-6 });
  });

  test("numbers rounded to decimals never count as more precise than that", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 9999, noNaN: true }), { minLength: 3, maxLength: 9 }),
        fc.integer({ min: 1, max: 6 }),
        (values, decimals) => {
          const published = values.map((value) => Number(value.toFixed(decimals)));
          const precision = of(published);
          // 1e-12: half a unit as it is written and as it is computed
          for (const value of published)
            expect(halfWidthAt(precision, value)).toBeGreaterThanOrEqual(
              0.5 * 10 ** -decimals - 1e-12,
            );
        },
      ),
    );
  });

  test("a number stored in single precision always matches the original", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 9999, noNaN: true }), { minLength: 3, maxLength: 9 }),
        (values) => {
          for (const write of [Math.fround, short]) {
            const published = values.map(write);
            const precision = of(published);
            if (precision.single !== undefined)
              published.forEach((value, i) =>
                expect(equalAt(value, values[i] as number, precision)).toBe(true),
              );
          }
        },
      ),
    );
  });
});
