import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { smallestCount } from "../../src/metrics/index.js";
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

const folder = folderOfTests("recount-grim");

test.runIf(isWhole)(
  "a study of published numbers only is imported, and the audit says how many scores they take",
  async () => {
    const path = (file: string) => join(folder, file);
    // 3.47 is 52/15, 59/17 or 66/19; 2.95 is 56/19 or 59/20.
    writeFileSync(path("board.csv"), "system,mos,chosen,pi\nA,3.47,62.5,3.141592653589793\nB,2.95,37.5,2.5\n");
    const lists = { mean: "mos", percent_chosen: "chosen", stats: "pi" };
    const published = Object.entries(lists).map(
      ([kind, value]) => `  - { kind: ${kind}, from: board, item: system, value: ${value} }\n`,
    );
    const study = "study: { id: paper, licence: CC0-1.0, source: a table }\nfiles: { board: board.csv }\n";
    writeFileSync(path("mapping.yaml"), `${study}published:\n${published.join("")}`);
    const lake = path("lake");
    expect(await recountHere(["import", path("mapping.yaml"), "--lake", lake])).toMatchObject({ code: 0, stderr: "" });
    expect(await recountHere(["verify", "--lake", lake])).toMatchObject({ code: 0 });
    await recountHere(["audit", "--lake", lake, "--json", path("audit.json")]);
    const { rows } = JSON.parse(readFileSync(path("audit.json"), "utf8")) as { rows: Record<string, string>[] };
    const none = "the snapshot holds no ratings of this experiment; ";
    expect(Object.fromEntries(rows.map(({ kind, explanation }) => [kind, explanation]))).toEqual({
      mean: `${none}if scores are whole, its 2 numbers need at least 19 each`,
      percent_chosen: `${none}if scores are whole, its 2 numbers need at least 8 each`,
      stats: `${none}no count of whole scores up to 100,000 gives its 2 numbers`,
    });
    expect(rows.map(({ verdict }) => verdict)).toEqual(Array(3).fill("not_auditable"));
  },
);
