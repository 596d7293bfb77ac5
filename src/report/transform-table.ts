import { renderTable } from "./table.js";

/** What a transform did, as its report shows it. */
export interface TransformSummary {
  readonly dir: string;
  readonly written: readonly { readonly name: string; readonly rows: number }[];
  readonly recomputed: {
    readonly models: readonly { readonly name: string; readonly ms: number }[];
    readonly checks: readonly { readonly name: string; readonly rows: number }[];
  };
}

/** The written models with rows and time, then the data checks that found something. */
export function renderTransform({ dir, written, recomputed }: TransformSummary): string {
  const ms = new Map(recomputed.models.map((model) => [model.name, model.ms]));
  const table = renderTable(
    [{ head: "model" }, { head: "rows", align: "right" }, { head: "ms", align: "right" }],
    written.map(({ name, rows }) => [name, String(rows), String(ms.get(name) ?? "")]),
  );
  return [
    table,
    "",
    renderChecks(recomputed.checks),
    `Wrote ${written.length} models as Parquet, and recount.duckdb: ${dir}`,
  ].join("\n");
}

/** One line for all data checks, and one for each that found offending rows. */
export function renderChecks(checks: TransformSummary["recomputed"]["checks"]): string {
  const red = checks.filter(({ rows }) => rows > 0);
  const lines = red.map(({ name, rows }) => `  ${name}: ${rows} ${rows === 1 ? "row" : "rows"}`);
  return [`Data checks: ${checks.length - red.length} of ${checks.length} pass.`, ...lines].join("\n");
}
