import type { Model } from "./models.js";

/** A column as a header describes it. */
interface DocumentedColumn {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string;
  /** The meaning of NULL; empty if the column has none. */
  readonly nulls: string;
}

/**
 * The tables that a model's header documents, by name. A block is `-- columns:`, or `-- columns <table>:` for another
 * table of its kernel, and a line `--   name: meaning (unit). null: what it means` per column. Unit and null are optional.
 */
export function documentedTables({ name: model, sql }: Model): Map<string, DocumentedColumn[]> {
  const blocks = sql.matchAll(/^-- columns(?: (\w+))?:\n((?:-- {3}.*\n)*)/gm);
  return new Map(
    [...blocks].map(([, table = model, lines = ""]) => [table, lines.split("\n").filter(Boolean).map(columnOf)]),
  );
}

function columnOf(line: string): DocumentedColumn {
  const [, name = "", meaning = "", unit = "", nulls = ""] =
    /^-- {3}(\w+): (.+?)(?: \(([^()]*)\))?(?:\. null: (.+))?$/.exec(line) ?? [];
  if (meaning === "") throw new Error(`${line} is not a column's "name: meaning (unit). null: what it means".`);
  return { name, meaning, unit, nulls };
}

/** The rest of a header's line `-- key: …`; empty if there is none. */
export const headerLine = (sql: string, key: string): string =>
  new RegExp(`^-- ${key}: (.*)$`, "m").exec(sql)?.[1] ?? "";
