/** Checks an evidence bundle, and repeats its audit. */
import { Type } from "typebox";
import { join } from "node:path";
import {
  digestOf,
  digestOfPieces,
  messageOf,
  RecountError,
  readText,
  temporaryFile,
  schemaCheck,
  version,
} from "../../platform/index.js";
import { unpackZip, writeZip } from "./zip.js";
import { conventionsSchema } from "../../metrics/index.js";
import { readModels } from "../../warehouse/index.js";
import { auditLake } from "../lake.js";
import { auditJson, type AuditReport } from "../tell/report.js";
import { auditName, bundledTables, bundleEntries, indexName, type BundleIndex } from "./write.js";
import { pageName } from "./readable.js";

export interface BundleVerification {
  /** Empty when the bundle proves its audit. */
  readonly problems: readonly string[];
  readonly files: number;
  readonly report: AuditReport | null;
}

/** Without network or lake: digests, SQL, rerun. @throws UsageError for an incomplete ZIP */
export async function verifyBundle(file: string): Promise<BundleVerification> {
  return temporaryFile("recount-bundle", async (folder) => {
    const names = await unpackZip(file, folder);
    const index = await readIndex(folder);
    if (typeof index === "string") return { problems: [index], files: 0, report: null };
    const problems = [
      ...(await digestProblems(folder, index, names)),
      ...(await sqlProblems(folder)),
    ];
    const done = { files: index.files.length, report: null };
    if (problems.length > 0) return { ...done, problems };
    try {
      return { ...done, ...(await rerun(file, folder, index)) };
    } catch (error) {
      // Data that the audit cannot read are a problem of the bundle.
      const [first = ""] = messageOf(error).split("\n");
      return {
        ...done,
        problems: [
          error instanceof RecountError ? first : `its audit cannot be run again: ${first}`,
        ],
      };
    }
  });
}

async function readIndex(folder: string): Promise<BundleIndex | string> {
  const text = await readText(join(folder, indexName)).catch(() => null);
  if (text === null) return `${indexName} is missing: not a complete evidence bundle`;
  try {
    const value: unknown = JSON.parse(text);
    const problem = indexProblem(value);
    return problem === null ? (value as BundleIndex) : `${indexName} is corrupted: ${problem}`;
  } catch {
    return `${indexName} is corrupted: it is not JSON`;
  }
}

async function digestProblems(
  folder: string,
  { files }: BundleIndex,
  names: readonly string[],
): Promise<string[]> {
  const problems: string[] = [];
  const listed = new Set([indexName, ...files.map((f) => f.path)]);
  for (const { path, sha256 } of files) {
    if (!names.includes(path)) problems.push(`${path} is missing`);
    else if ((await digestOf(join(folder, path))).sha256 !== sha256)
      problems.push(`${path} has changed: its digest does not match`);
  }
  for (const name of names)
    if (!listed.has(name)) problems.push(`${name} is not part of the bundle`);
  return problems;
}

async function sqlProblems(folder: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, sql } of await readModels()) {
    const bundled = await readText(join(folder, "sql", file)).catch(() => null);
    if (bundled !== sql)
      problems.push(
        `sql/${file} is not the SQL of this version (${version}): verify with the version ` +
          "that made the bundle",
      );
  }
  return problems;
}

async function rerun(
  file: string,
  folder: string,
  index: BundleIndex,
): Promise<Pick<BundleVerification, "problems" | "report">> {
  const { snapshot, report, warehouse } = await auditLake(join(folder, "lake"), index.project_id, {
    ...index.settings,
    snapshot: index.snapshot,
    tables: bundledTables,
    models: "audited",
  });
  warehouse.close();
  const again = await digestOfPieces(auditJson(report));
  const bundled = await digestOf(join(folder, auditName));
  if (again.sha256 !== bundled.sha256) {
    const problem = "rerunning the audit gives other results than the bundle's audit.json";
    return { problems: [problem], report };
  }
  const repacked = join(folder, "repacked.zip");
  // The report shows more than the audit: only its digest is checked.
  const page = (await readText(join(folder, pageName)).catch(() => null)) ?? "";
  await writeZip(repacked, await bundleEntries(snapshot, index.settings, report, page));
  const isEqual = (await digestOf(file)).sha256 === (await digestOf(repacked)).sha256;
  const problem = "repacking the contents gives other bytes than the file has";
  return { problems: isEqual ? [] : [problem], report };
}

const text = Type.String();

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const name = Type.String({ pattern: "^[A-Za-z0-9-]+$" });

/** Nothing of an index that is not checked here reaches a path or SQL. */
const indexProblem = schemaCheck(
  Type.Object({
    format: Type.Literal(1),
    recount: text,
    project_id: name,
    snapshot: name,
    created_at: text,
    settings: Type.Object({
      conventions: conventionsSchema,
      tolerances: Type.Record(
        text,
        Type.Object({ absolute: Type.Number(), relative: Type.Number() }),
      ),
      shapes: Type.Record(
        text,
        Type.Object({ entries: text, item: text, fields: Type.Record(text, text) }),
      ),
      records: Type.Record(text, Type.Record(text, text)),
      limits: Type.Object({ work: count }),
      accept: Type.Array(
        Type.Object({ experiment: text, kind: text, convention: text, reason: text }),
      ),
      ignore: Type.Array(
        Type.Object({
          experiment: Type.Optional(text),
          kind: Type.Optional(text),
          field: text,
          reason: text,
        }),
      ),
    }),
    files: Type.Array(
      Type.Object({
        path: text,
        sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        bytes: count,
      }),
    ),
  }),
);
