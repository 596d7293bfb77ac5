import { expect, test } from "vitest";
import { likelihoodClasses } from "../../../src/metrics/bradley-terry/classes.js";
import { derivatives, pairState } from "../../../src/metrics/bradley-terry/derivatives.js";
import { factorInPlace } from "../../../src/metrics/numeric/solvers.js";
import type { PairCounts } from "../../../src/metrics/pair-counts.js";
import { seededRandom } from "../../../src/platform/random.js";

/** `pairs` random pairs of `items` items, with up to `most` wins either way and ties. */
function randomPairs(items: number, pairs: number, most: number, random: () => number): PairCounts {
  const upTo = (n: number) => Math.floor(random() * n);
  const a = Int32Array.from({ length: pairs }, () => upTo(items));
  const b = a.map((item) => (item + 1 + upTo(items - 1)) % items);
  const counts = () => Float64Array.from({ length: pairs }, () => upTo(most + 1));
  return {
    items,
    a,
    b,
    winsA: counts(),
    winsB: counts(),
    ties: counts().map((n) => (n === most ? 1 : 0)),
  };
}

test("four rows at a time give the Cholesky factor of single rows, bit for bit", () => {
  const random = seededRandom(3);
  for (let size = 1; size <= 18; size++) {
    const rows = Array.from({ length: size }, () =>
      Array.from({ length: size + 2 }, () => random() - 0.5),
    );
    const product = rows.flatMap((x) =>
      rows.map((y) => x.reduce((sum, value, k) => sum + value * y[k]!, 0)),
    );
    const [fast, plain] = [Float64Array.from(product), Float64Array.from(product)];
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) {
        let sum = plain[i * size + j]!;
        for (let k = 0; k < j; k++) sum -= plain[i * size + k]! * plain[j * size + k]!;
        plain[i * size + j] = i === j ? Math.sqrt(sum) : sum / plain[j * size + j]!;
      }
    expect(factorInPlace(fast, size)).toBe(true);
    expect(fast).toEqual(plain);
    const singular = Float64Array.from({ length: size * size }, () => 1);
    expect(factorInPlace(singular, size)).toBe(size === 1);
  }
});

test("the derivatives with half ties are those of the formulas, pair by pair, bit for bit", () => {
  const random = seededRandom(5);
  const counts = randomPairs(7, 60, 5, random);
  const at = Float64Array.from({ length: 7 }, () => 4 * random() - 2);
  const gradient = new Float64Array(7);
  const information = new Float64Array(49).fill(1);
  const add = (values: Float64Array, index: number, amount: number) =>
    (values[index] = values[index]! + amount);
  counts.a.forEach((i, p) => {
    const j = counts.b[p]!;
    const [won, lost, tied] = [counts.winsA[p]!, counts.winsB[p]!, counts.ties[p]!];
    const { win } = pairState(at, 7, i, j);
    const n = won + lost + tied;
    add(gradient, i, won + tied / 2 - n * win);
    add(gradient, j, -(won + tied / 2 - n * win));
    for (const [row, column, sign] of [
      [i, i, 1],
      [j, j, 1],
      [i, j, -1],
      [j, i, -1],
    ] as const)
      // prettier-ignore
      add(information, row * 7 + column, sign * n * win * (1 - win));
  });
  const found = derivatives(counts, at);
  expect(found.gradient).toEqual(gradient);
  for (let i = 0; i < 7; i++)
    expect(found.information.slice(7 * i, 8 * i + 1)).toEqual(information.slice(7 * i, 8 * i + 1));
});

test("items share a class exactly when wins and ties lead from each to the other", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 300; round++) {
    const items = 2 + Math.floor(random() * 12);
    const counts = randomPairs(items, Math.floor(random() * 4 * items), 1, random);
    const reaches = Array.from({ length: items }, (_, i) =>
      Array.from({ length: items }, (__, j) => i === j),
    );
    counts.a.forEach((a, p) => {
      const b = counts.b[p]!;
      const isTied = counts.ties[p]! > 0;
      if (isTied || counts.winsA[p]! > 0) reaches[a]![b] = true;
      if (isTied || counts.winsB[p]! > 0) reaches[b]![a] = true;
    });
    for (const via of reaches.keys())
      for (const own of reaches)
        if (own[via] === true) reaches[via]?.forEach((is, to) => (own[to] ||= is));
    const { ofItem, classes } = likelihoodClasses(counts);
    expect(new Set(ofItem).size).toBe(classes);
    for (let i = 0; i < items; i++)
      for (let j = 0; j < items; j++)
        expect(ofItem[i] === ofItem[j]).toBe(reaches[i]?.[j] === true && reaches[j]?.[i] === true);
  }
});
