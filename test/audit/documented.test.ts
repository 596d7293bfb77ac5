import { leftOutFamilies } from "../../src/audit/explain/left-out.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carriedBits } from "../../src/audit/explain/weigh.js";
import {
  populationFamilies,
  populationOptions,
  scorings,
  unitScales,
} from "../../src/audit/recompute/hypotheses.js";
import { kinds, metricKind, type Kind } from "../../src/metrics/kinds.js";
import { publishedAs } from "../support/audit/synthetic-ratings.js";
import { read, root } from "../support/root.js";

const page = join(root, "docs/reference/audit-conventions.md");

function kindsText(own: readonly Kind[]): string {
  const families = (["pairwise", "scored"] as const).filter((family) =>
    kinds.every((kind) => own.includes(kind) === (metricKind(kind).family === family)),
  );
  return own.length === kinds.length ? "all" : (families[0] ?? own.join(", "));
}

const catalogue = [
  ...populationOptions,
  ...populationFamilies,
  ...leftOutFamilies,
  ...scorings,
  ...unitScales,
];

test("the table of docs/reference/audit-conventions.md is generated from the catalogue", async () => {
  const rows = catalogue.map(
    ({ name, kinds: own, says }) => `| \`${name}\` | ${kindsText(own)} | ${says} |\n`,
  );
  const text = readFileSync(page, "utf8");
  const table = /(?<=\n\|---\|---\|---\|\n)(\|.*\|\n)+/;
  await expect(text.replace(table, () => rows.join(""))).toMatchFileSnapshot(page);
});

test("names are unique within a kind", () => {
  for (const kind of kinds) {
    const names = catalogue.filter((h) => h.kinds.includes(kind)).map((h) => h.name);
    expect(new Set(names).size).toBe(names.length);
  }
});

test("docs/reference/audit.md has the bits of its example", () => {
  const page = read("docs/reference/audit.md");
  const example = page
    .slice(page.indexOf("**Example.**"))
    .split("\n\n")[0]!
    .replaceAll(/\s+/g, " ");
  const [published, own] = [...example.matchAll(/(\d+\.\d+, \d+\.\d+ and \d+\.\d+) %/g)].map(
    ([, list = ""]) => Float64Array.from(list.split(/, | and /), Number),
  );
  const items = ["a", "b", "c"];
  const target = publishedAs("percent_chosen", { items, columns: { value: published! } });
  const bits = (gained: readonly number[]): string => {
    const table = () => ({ items, columns: { value: own! } });
    return carriedBits({ of: target, table }, new Float64Array(3).fill(100 / 366), gained).toFixed(
      1,
    );
  };
  expect(example).toContain(
    `The first number carries log2(1 + 2 · 3.04 / 0.27) = ${bits([0])} bits`,
  );
  expect(example).toContain(`All three carry ${bits([0, 1, 2])} bits`);
  expect(example).toContain(`Two such shares would carry ${bits([0, 1])} bits`);
  expect(example).toContain(`2 + log2 40 = ${(2 + Math.log2(40)).toFixed(1)} bits`);
});
