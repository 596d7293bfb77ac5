/** What a bundle has for readers without Recount. */
import { kinds, metricKind, type Conventions, type Kind } from "../../metrics/index.js";
import { fileKey, type Snapshot } from "../../lake/index.js";
import { counted, tarballDigest, version } from "../../platform/index.js";
import type { ZipEntry } from "./zip.js";
import type { AuditReport } from "../tell/report.js";
import type { AuditRow } from "../judge/rows.js";
import { modelPlan, modelsBehind, scriptOf, type TableSource } from "../../warehouse/index.js";
import { numbersIn } from "../judge/verdict.js";

export const pageName = "report.html";

const csvColumns: readonly (keyof AuditRow)[] = [
  "experiment_id",
  "experiment_name",
  "published_in",
  "kind",
  "dimension",
  "source",
  "item",
  "field",
  "published",
  "recomputed",
  "difference",
  "tolerance",
  "verdict",
  "explanation",
  "under_explanation",
  "remaining",
];

/** With an apostrophe before what a spreadsheet would run as a formula. */
function csvCell(value: AuditRow[keyof AuditRow]): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const safe = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvOf = (rows: readonly AuditRow[]): string =>
  [
    csvColumns.join(","),
    ...rows.map((row) => csvColumns.map((name) => csvCell(row[name])).join(",")),
  ]
    .map((line) => `${line}\r\n`)
    .join("");

/** README.txt, report, CSV and SQL. @param folder the snapshot's folder in the bundle */
export async function readableEntries(
  snapshot: Snapshot,
  conventions: Conventions,
  report: AuditReport,
  page: string,
  folder: string,
): Promise<ZipEntry[]> {
  const published = kinds.filter((kind) => report.rows.some((row) => row.kind === kind));
  const sources = sourcesIn(snapshot, folder);
  const queries = published.map(async (kind) => ({
    path: `queries/${kind}.sql`,
    content: await queryOf(kind, sources, conventions),
  }));
  return [
    { path: "README.txt", content: readme(snapshot, report, await tarballDigest()) },
    { path: pageName, content: page },
    { path: "audit.csv", content: csvOf(report.rows) },
    ...(await Promise.all(queries)),
  ];
}

type Sources = Readonly<Record<string, TableSource>>;

function sourcesIn({ tables, manifest }: Snapshot, folder: string): Sources {
  const parts = manifest.units.flatMap((unit) => unit.parts);
  const filesOf = (table: string) =>
    parts.filter((part) => part.table === table).map((part) => fileKey(folder, part, part.path));
  return Object.fromEntries(
    Object.entries(tables).map(([table, source]) => [table, { ...source, files: filesOf(table) }]),
  );
}

const serviceOrder =
  "experiment_id, dimension, service_rank nulls last, updated_at nulls last, slate_id, " +
  "item_a, item_b, outcome";

/** From the ratings to the numbers, or to the comparisons that a kernel takes. */
async function queryOf(kind: Kind, sources: Sources, conventions: Conventions): Promise<string> {
  const { title, definition, source, model } = metricKind(kind);
  const kernels = modelsBehind(await modelPlan(), [model]).flatMap(({ kernel }) => kernel ?? []);
  const isFitted = kernels.includes(kind);
  const table = isFitted ? "int_comparisons" : model;
  const gives = isFitted
    ? "the input of the formula: each comparison that counts, 1 if item_a won, -1 if item_b " +
      "did, in service order"
    : "its numbers; source is '' for the whole experiment, otherwise a job or a published set " +
      "of jobs";
  const head = [
    `-- ${title}: ${definition} (${source}).`,
    `-- This script gives ${gives}.`,
    ...(isFitted || kernels.length === 0
      ? []
      : [`-- Columns that ${kernels.join(" and ")} would give are null.`]),
    `-- In the folder of the unpacked bundle: duckdb -c ".read queries/${kind}.sql"`,
  ];
  const result = isFitted ? `from ${table} order by ${serviceOrder};` : `from ${table};`;
  return `${head.join("\n")}\n\n${await scriptOf(table, sources, conventions)}\n\n${result}\n`;
}

/** @param tarball SHA-512 of this installation's tarball, if npm noted it */
function readme(
  { projectId, id, manifest }: Snapshot,
  report: AuditReport,
  tarball: string | null,
): string {
  const digest =
    tarball === null
      ? "Compare its SHA-512, which npm pack writes beside it, with that of the release."
      : "Its SHA-512, which npm pack writes beside it, should be that of the one that made " +
        `this bundle:\n   ${tarball}`;
  const persons =
    manifest.pseudonyms === undefined
      ? "The ratings name their raters and sessions as the service does, and the tables of " +
        "raters may hold what a service knows of them (meta). The report lists raters by the " +
        "same identifiers. Treat the bundle as confidential."
      : "Raters and sessions are pseudonyms: keyed hashes, whose key is not in the bundle. " +
        "Free text was left out.";
  const numbers = counted(numbersIn(report.rows), "published number");
  return `Evidence bundle of ${projectId}, snapshot ${id} of ${manifest.created_at}
Made by Recount ${version}: ${numbers}, each with its verdict:
whether it follows from the ratings.

WHO CAN BE IDENTIFIED
${persons}

TO READ
report.html   the report: open it in a browser, it needs no network
audit.csv     each published number with the recomputed one and the verdict, for a spreadsheet
              (UTF-8; an apostrophe is before text that a spreadsheet would take for a formula)
queries/      for each published metric one SQL script, from the ratings to its numbers, or to
              what its formula takes

TO REPEAT
1. recount verify FILE.zip
   checks every digest, runs the audit again and compares it byte by byte. Of report.html it
   checks the digest only. No registry has Recount: take recount-${version}.tgz from its release,
   or pack it from the tag v${version} of its repository (npm ci && npm pack), and install it
   (npm install ./recount-${version}.tgz).
   ${digest}
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
