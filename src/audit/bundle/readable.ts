import { isKind, kinds, type Conventions } from "../../metrics/index.js";
import { keyOf, type Snapshot } from "../../lake/index.js";
import { counted, version } from "../../platform/index.js";
import type { AuditReport } from "../report.js";
import type { AuditRow } from "../compare.js";
import { numbersIn } from "../verdict.js";
import { metricQueries } from "./queries.js";
import type { ZipEntry } from "./zip.js";

export const pageName = "report.html";

const columns: readonly (keyof AuditRow)[] = [
  ...(["experiment_id", "experiment_name", "published_in", "kind", "dimension", "source", "item", "field"] as const),
  ...(["published", "recomputed", "difference", "tolerance", "verdict"] as const),
  ...(["explanation", "under_explanation", "remaining"] as const),
];

/** A cell of a CSV file; an apostrophe before what a spreadsheet would run as a formula. */
function cell(value: AuditRow[keyof AuditRow]): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const safe = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvOf = (rows: readonly AuditRow[]): string =>
  [columns.join(","), ...rows.map((row) => columns.map((name) => cell(row[name])).join(","))]
    .map((line) => `${line}\r\n`)
    .join("");

/**
 * What a bundle has for readers without Recount: README.txt, the report, the audit as CSV, and the SQL of each published
 * metric over the bundle's own Parquet files.
 * @param folder the snapshot's folder in the bundle
 */
export function readableEntries(
  snapshot: Snapshot,
  conventions: Conventions,
  report: AuditReport,
  page: string,
  folder: string,
): ZipEntry[] {
  const parts = snapshot.manifest.units.flatMap((unit) => unit.parts);
  const pathsOf = (table: string): string[] =>
    parts.filter((part) => part.table === table).map((part) => keyOf(folder, part, part.path));
  const published = kinds.filter((kind) => report.rows.some((row) => isKind(row.kind) && row.kind === kind));
  const queries = metricQueries(published, snapshot, pathsOf, conventions);
  return [
    { path: "README.txt", content: readme(snapshot, report, queries !== null) },
    { path: pageName, content: page },
    { path: "audit.csv", content: csvOf(report.rows) },
    ...[...(queries ?? [])].map(([kind, sql]) => ({ path: `queries/${kind}.sql`, content: sql })),
  ];
}

function readme({ projectId, id, manifest }: Snapshot, report: AuditReport, hasQueries: boolean): string {
  const persons =
    manifest.pseudonyms === undefined
      ? "The ratings name their raters and sessions as the service does, and the tables of raters may hold what a service knows of them (meta). The report lists raters by the same identifiers. Treat the bundle as confidential."
      : "Raters and sessions are pseudonyms: keyed hashes, whose key is not in the bundle. Free text was left out.";
  const queries = hasQueries
    ? "queries/      for each published metric one SQL text, from the ratings to its numbers, or to what its formula takes"
    : "(queries/ is missing: its texts do not know the conventions `incorrect` and `screen`. sql/ has the SQL that was run.)";
  return `Evidence bundle of ${projectId}, snapshot ${id} of ${manifest.created_at}
Made by Recount ${version}: ${counted(numbersIn(report.rows), "published number")}, each with its verdict: whether it follows from the ratings.

WHO CAN BE IDENTIFIED
${persons}

TO READ
report.html   the report: open it in a browser, it needs no network
audit.csv     each published number with the recomputed one and the verdict, for a spreadsheet (UTF-8; an apostrophe is
              before text that a spreadsheet would take for a formula)
${queries}

TO REPEAT
1. recount verify FILE.zip
   checks every digest, runs the audit again and compares it byte by byte. Of report.html it checks the digest only.
   No registry has Recount: pack it from the tag v${version} of its repository (npm ci && npm pack), install the tarball
   (npm install ./recount-${version}.tgz), and compare the sha512 that npm pack prints with that of the release.
2. duckdb -c ".read queries/METRIC.sql"
   computes a metric in the folder of the unpacked bundle, with DuckDB alone (https://duckdb.org)
3. duckdb -c "from 'lake/${projectId}/snapshots/*/**/ratings.parquet'"
   shows the ratings

THE REST
bundle.json   version, settings and the digest of every other file
audit.json    the whole audit, as recount audit --json writes it
lake/         the snapshot's manifest and the tables that the audit reads, as Parquet
sql/          the SQL that was run
`;
}
