import { readFileSync } from "node:fs";
import { join } from "node:path";

export const goldenDir = join(import.meta.dirname, "../golden");

export const goldenPaths = (...names: readonly string[]): string[] =>
  names.map((name) => join(goldenDir, `${name}.json`));

export const goldenFiles = [
  "tiny-pairwise",
  "two-dimensions",
  "codec-preference",
  "approval",
  "acr",
  "mushra",
];

export type Numbers = Record<string, number>;
export type Expected = Record<string, number | Numbers>;
export interface Golden {
  experiment: { id: string };
  expected: Record<string, Record<string, Expected> & { variants: Record<string, Expected> }>;
}

export function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(join(goldenDir, `${name}.json`), "utf8")) as Golden;
}
