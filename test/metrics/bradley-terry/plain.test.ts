import { expect, test } from "vitest";
import { likelihoodClasses } from "../../../src/metrics/bradley-terry/classes.js";
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
