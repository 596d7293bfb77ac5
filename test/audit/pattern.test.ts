import { expect, test } from "vitest";
import { patternOf } from "../../src/audit/findings/pattern.js";

const own = [2095.2, 2060.4, 1990.3, 1951.7, 1902.4, 1880.1];
const moved = (by: (value: number, i: number) => number) =>
  own.map((recomputed, i) => ({
    recomputed,
    published: Number((recomputed + by(recomputed, i)).toFixed(1)),
  }));

test.each([
  [() => -3, "every difference is −3"],
  [(v: number) => 0.02 * v, "every number is 1.020 times the recomputed one"],
  [(_: number, i: number) => [3, -1, 4, 1, -5, 9][i]!, null],
])("differences that a reader would see are described: %s", (by, says) => {
  expect(patternOf(moved(by))).toBe(says);
});

test("a single difference is itself, and two or three show nothing", () => {
  expect(patternOf(moved(() => 12.5).slice(0, 1))).toBe("the difference is +12.5");
  expect(patternOf(moved(() => 5).slice(0, 3))).toBeNull();
});
