import { byText, counted } from "../platform/index.js";
import { renderTable } from "./table.js";

/** The part of a transform's report that the table shows. */
export interface TransformSummary {
  readonly dir: string;
  readonly written: readonly { readonly name: string; readonly rows: number }[];
  readonly recomputed: {
    readonly models: readonly { readonly name: string; readonly ms: number }[];
    readonly checks: readonly { readonly name: string; readonly rows: number; readonly severity: string }[];
  };
}

/** The written models with rows and time, then the failing data checks. */
export function renderTransform({ dir, written, recomputed }: TransformSummary): string {
  const ms = new Map(recomputed.models.map((model) => [model.name, model.ms]));
  const table = renderTable(
    [{ head: "model" }, { head: "rows", align: "right" }, { head: "ms", align: "right" }],
    written.map(({ name, rows }) => [name, String(rows), String(ms.get(name) ?? "")]),
  );
  const summary = `Wrote ${written.length} models as Parquet and as recount.duckdb to ${dir}`;
  const checks = recomputed.checks.length === 0 ? [] : [renderChecks(recomputed.checks)];
  return [table, "", ...checks, summary].join("\n");
}

/** One line for all data checks, and one for each that found rows: errors before warnings. */
export function renderChecks(checks: TransformSummary["recomputed"]["checks"]): string {
  const failed = checks.filter(({ rows }) => rows > 0).sort((a, b) => byText(a.severity, b.severity));
  const lines = failed.map(({ name, rows, severity }) => `  ${severity}: ${name}: ${counted(rows, "row")}`);
  return [`Data checks: ${checks.length - failed.length} of ${checks.length} pass.`, ...lines].join("\n");
}
