import { expect, test } from "vitest";
import type { Target } from "../../src/audit/compare/target.js";
import { fitUnit, stands, sure, unitHypotheses } from "../../src/audit/compare/unit.js";
import { metricKind, defaultConventions } from "../../src/metrics/index.js";
import { seededRandom } from "../../src/platform/random.js";

const units = metricKind("bradley_terry").units!.of(defaultConventions);
const scales = units.map((unit, i) => ({ ...unit, scale: 2 + 3 ** 0.5 * i }));

/** `items` numbers of which the first `agreeing` are twice the recomputed ones and 7; `range` last decimals wide. */
function boardOf(items: number, agreeing: number, range: number) {
  // The spread of numbers at ± a is 2.5 · 1.4826 · a.
  const published = Array.from({ length: items }, (_, i) => ((i % 2) - 0.5) * (range / 1.8532));
  const recomputed = published.map((y, i) => (y - 7) / 2 + (i < agreeing ? 0 : 1e6 * 5 ** i));
  const none = published.map(() => 0);
  return {
    items: published.map(String),
    published,
    recomputed,
    room: none.map(() => 0.5),
    reach: none,
  };
}

/** The fewest that must agree in one of 12 scales, by the range in last decimals; 0: never. */
const fewest: [range: number, ...number[]][] = [
  [10, 0, 0, 8, 10, 13, 16, 23],
  [20, 0, 6, 7, 8, 10, 12, 17],
  [50, 0, 6, 6, 7, 8, 9, 12],
  [100, 4, 5, 5, 6, 7, 8, 10],
  [500, 4, 4, 4, 5, 5, 6, 7],
  [20_000, 3, 3, 3, 3, 4, 4, 4],
];

test.each(fewest)("the fewest numbers that tell a unit, of a range of %i", (range, ...most) => {
  const found = [4, 6, 8, 12, 20, 30, 60].map((items) => {
    const counts = Array.from({ length: items }, (_, i) => i + 1).filter((m) => m > 1);
    const isSure = (m: number): boolean =>
      fitUnit(boardOf(items, m, range), scales.slice(0, 12), null).chance <= sure;
    return counts.find(isSure) ?? 0;
  });
  expect(found).toEqual(most);
});

test.each([
  ["elo", 1],
  ["bradley_terry", 0],
] as const)("%s: natural logarithms cost what they cost in this kind: %d", (kind, bits) => {
  const unit = metricKind(kind)
    .units!.of(defaultConventions)
    .find((u) => u.name === "natural")!;
  const fitted = fitUnit(boardOf(8, 8, 100), [{ ...unit, scale: 2 }], null);
  const named = unitHypotheses({ kind } as Target, fitted, true);
  expect(named).toMatchObject([{ name: "unit=natural", bits }]);
});

test("scale, level and what was raised are found of boards at random", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const items = 8 + Math.floor(20 * random());
    const unit = units[seed % 6]!;
    const recomputed = Array.from({ length: items }, () => 4 * random() - 2);
    const decimal = (unit.scale * 4) / 2000;
    const level = 500 * decimal * Math.floor(6 * random());
    const raised = new Set(Array.from({ length: seed % 3 }, (_, i) => (5 * i + seed) % items));
    const published = recomputed.map((x, i) => {
      const value = level + unit.scale * x + (raised.has(i) ? (9 + 40 * random()) * decimal : 0);
      return decimal * Math.round(value / decimal);
    });
    const none = published.map(() => 0);
    const room = none.map(() => decimal / 2);
    const fitted = fitUnit(
      { items: published.map(String), published, recomputed, room, reach: none },
      units,
      null,
    );
    expect(fitted.unit.name).toBe(unit.name);
    expect(Math.abs(fitted.shift - level)).toBeLessThanOrEqual(decimal / 2);
    const missed = fitted.off.flatMap((by, i) => (Math.abs(by) > 0.51 * decimal ? [i] : []));
    expect(missed).toEqual([...raised].sort((a, b) => a - b));
    expect(stands(fitted, false)).toBe(true);
  }
});
