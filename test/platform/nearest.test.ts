import { expect, it } from "vitest";
import { didYouMean } from "../../src/platform/index.js";

it.each([
  ["lak", ["raw", "lake", "bundle"], "lake"],
  ["--jsn", ["--json", "--junit"], "--json"],
  ["form", ["from", "forms"], "from"],
  ["Depth", ["rows", "depth"], "depth"],
  ["concurency", ["concurrency", "currency"], "concurrency"],
  ["kk", ["k", "scale"], "k"],
])("suggests the nearest name for %s", (mistyped, known, nearest) => {
  expect(didYouMean(mistyped, known)).toBe(` Did you mean ${nearest}?`);
});

it.each([
  ["frobnicate", ["format", "output"]],
  ["x", ["lake", "project"]],
  ["anything", []],
])("suggests nothing for %s", (mistyped, known) => {
  expect(didYouMean(mistyped, known)).toBe("");
});
