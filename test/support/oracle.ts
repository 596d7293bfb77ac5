import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** A file of test/oracles: a public data set with the numbers of other implementations. */
export function oracle(name: string): unknown {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, `../oracles/${name}.json`), "utf8"));
}

/** Scores of raters (columns) for items (rows), each once, as rows sorted by rater. */
export function sumsOf(table: readonly (readonly number[])[]) {
  const cells = (table[0] ?? []).flatMap((_, rater) =>
    table.map((row, item) => ({ rater, item, score: row[rater]! })),
  );
  return {
    items: table.length,
    rater: Int32Array.from(cells, ({ rater }) => rater),
    item: Int32Array.from(cells, ({ item }) => item),
    n: new Float64Array(cells.length).fill(1),
    sum: Float64Array.from(cells, ({ score }) => score),
  };
}

export const transposed = <T>(table: readonly (readonly T[])[]): T[][] =>
  (table[0] ?? []).map((_, column) => table.map((row) => row[column]!));
