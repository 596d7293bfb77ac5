import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contradictionIn, smallestCount } from "../../src/metrics/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { isWhole, runsOf } from "../support/whole.js";

/** Whether a whole number k has |k / n − digits / 10^decimals| at most half a unit of the last decimal, in whole numbers. */
function isMeanOf(n: number, digits: number, decimals: number): boolean {
  const unit = 10n ** BigInt(decimals);
  const wanted = BigInt(digits) * BigInt(n);
  const below = wanted / unit;
  return [below - 1n, below, below + 1n].some((k) => {
    const distance = 2n * (k * unit - wanted);
    return (distance < 0n ? -distance : distance) <= BigInt(n);
  });
}

const study = fc.record({
  n: fc.integer({ min: 1, max: 300 }),
  decimals: fc.integer({ min: 1, max: 4 }),
  scores: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }),
});

test("the smallest n gives every published mean, and no smaller one does", () => {
  fc.assert(
    fc.property(study, ({ n, decimals, scores }) => {
      const sums = scores.map((share) => Math.round(5 * share * n));
      const digits = sums.map((sum) => Math.round((sum / n) * 10 ** decimals));
      const found = smallestCount(
        digits.map((own) => own / 10 ** decimals),
        1,
        () => 0.5 * 10 ** -decimals,
      );
      const wanted = Array.from({ length: n }, (_, at) => at + 1).find((of) =>
        digits.every((own) => isMeanOf(of, own, decimals)),
      );
      expect(wanted).toBeLessThanOrEqual(n);
      expect(found).toBe(wanted);
      const exact = smallestCount(sums.map((sum) => (100 * sum) / n), 100, () => 0); // prettier-ignore
      expect(sums.every((sum) => (sum * exact!) % n === 0)).toBe(true);
      expect(exact).toBeLessThanOrEqual(n);
    }),
    { numRuns: runsOf(300) },
  );
});

test("an irrational mean has no n", () => {
  expect(smallestCount([Math.PI], 1, () => 0)).toBe(null);
});

const rounded = (value: number, decimals: number) => ({
  low: value - 0.5 * 10 ** -decimals,
  high: value + 0.5 * 10 ** -decimals,
});

test.each([
  { mean: rounded(0.224, 3), n: 124, found: "mean" },
  { mean: rounded(0.272, 3), n: 124, found: "mean" },
  { mean: rounded(0.52, 3), n: 124, found: "mean" },
  { mean: rounded(0.524, 3), n: 124, found: null },
  { mean: rounded(63.27, 2), sd: rounded(0, 2), found: "sd" },
  { mean: rounded(63.27, 2), sd: rounded(0.45, 2), found: null },
  { mean: rounded(99.5, 1), sd: rounded(20, 0), scale: { low: 0, high: 100 }, found: "scale" },
  { mean: rounded(99.5, 1), sd: rounded(7, 0), scale: { low: 0, high: 100 }, found: null },
  { mean: rounded(5.2, 1), scale: { low: 1, high: 5 }, found: "scale" },
  // Of sum 17 the squares are odd: 61 and 63 give 0.76 and 1.04 with n - 1, 0.7 and 0.95 with n.
  { mean: rounded(3.4, 2), n: 5, sd: rounded(0.89, 2), found: null },
  { mean: rounded(3.4, 2), n: 5, sd: rounded(1, 2), found: "sd" },
] as const)("what is stated as $mean, $n, $sd on $scale: $found", ({ found, ...stated }) => {
  expect(contradictionIn(stated)).toBe(found);
});

test("nothing that scores of a scale give is called impossible", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 2, maxLength: 40 });
  const given = fc.record({
    scores,
    decimals: fc.integer({ min: 0, max: 4 }),
    divisor: fc.constantFrom(0, 1),
    isStated: fc.boolean(),
    hasScale: fc.boolean(),
    shift: fc.integer({ min: -20, max: 1000 }),
  });
  fc.assert(
    fc.property(given, ({ scores: own, decimals, divisor, isStated, hasScale, shift }) => {
      const n = own.length;
      const all = own.map((score) => score + shift);
      const mean = all.reduce((sum, score) => sum + score, 0) / n;
      const squares = all.reduce((sum, score) => sum + (score - mean) ** 2, 0);
      const published = (value: number) => rounded(Number(value.toFixed(decimals)), decimals);
      const stated = {
        mean: published(mean),
        sd: published(Math.sqrt(squares / (n - divisor))),
        ...(isStated && { n }),
        ...(hasScale && { scale: { low: shift, high: shift + 10 } }),
      };
      expect(contradictionIn(stated)).toBe(null);
    }),
    { numRuns: runsOf(1000) },
  );
});

const folder = folderOfTests("recount-grim");

test.runIf(isWhole)(
  "a study of published numbers only is imported, and the audit says how many scores they take",
  async () => {
    const path = (file: string) => join(folder, file);
    // 3.47 is 52/15, 59/17 or 66/19; 2.95 is 56/19 or 59/20.
    writeFileSync(
      path("board.csv"),
      "system,mos,chosen,pi\nA,3.47,62.5,3.141592653589793\nB,2.95,37.5,2.5\n",
    );
    const lists = { mean: "mos", percent_chosen: "chosen", stats: "pi" };
    const published = Object.entries(lists).map(
      ([kind, value]) => `  - { kind: ${kind}, from: board, item: system, value: ${value} }\n`,
    );
    const study =
      "study: { id: paper, licence: CC0-1.0, source: a table }\nfiles: { board: board.csv }\n";
    writeFileSync(path("mapping.yaml"), `${study}published:\n${published.join("")}`);
    const lake = path("lake");
    expect(await recountHere(["import", path("mapping.yaml"), "--lake", lake])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(await recountHere(["verify", "--lake", lake])).toMatchObject({ code: 0 });
    await recountHere(["audit", "--lake", lake, "--json", path("audit.json")]);
    const { rows } = JSON.parse(readFileSync(path("audit.json"), "utf8")) as {
      rows: Record<string, string>[];
    };
    const none = "the snapshot holds no ratings of this experiment; ";
    expect(Object.fromEntries(rows.map(({ kind, explanation }) => [kind, explanation]))).toEqual({
      mean: `${none}if scores are whole, its 2 numbers need at least 19 each`,
      percent_chosen: `${none}if scores are whole, its 2 numbers need at least 8 each`,
      stats: `${none}no count of whole scores up to 100,000 gives its 2 numbers`,
    });
    expect(rows.map(({ verdict }) => verdict)).toEqual(Array(3).fill("not_auditable"));
  },
);

test("n, sd and scale that are stated without ratings are tested, and the impossible are named", async () => {
  const path = (file: string) => join(folder, `stated-${file}`);
  const board = "A,63.27,0,11\nB,99.5,20,10\nC,50.1,20,10\nD,50.36,21.5,11\n";
  writeFileSync(path("board.csv"), `system,mos,sd,n\n${board}`);
  writeFileSync(path("shares.csv"), "system,chosen,n\nA,22.4,124\nB,22.6,124\n");
  writeFileSync(
    path("mapping.yaml"),
    `study: { id: paper, licence: CC0-1.0, source: a table }
files: { board: stated-board.csv, shares: stated-shares.csv }
published:
  - { kind: stats, from: board, item: system, fields: { mean: mos, std: sd, n: n }, options: { scale_min: 0, scale_max: 100 } }
  - { kind: percent_chosen, from: shares, item: system, fields: { value: chosen, n: n } }
`,
  );
  const lake = path("lake");
  const imported = await recountHere(["import", path("mapping.yaml"), "--lake", lake]);
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  await recountHere(["audit", "--lake", lake, "--json", path("audit.json")]);
  const { rows } = JSON.parse(readFileSync(path("audit.json"), "utf8")) as {
    rows: Record<string, string>[];
  };
  const said = rows.map(({ kind, explanation }) => [kind, explanation?.split("; impossible: ")[1]]);
  expect(Object.fromEntries(said)).toEqual({
    stats:
      "A (mean 63.27 with sd 0 of 11 whole scores), B (mean 99.5 with sd 20 on a scale from 0 to 100)",
    percent_chosen: "A (value 22.4 of 124 whole scores)",
  });
  expect(rows).toHaveLength(2);
});
