import type { Conventions } from "../../metrics/index.js";
import { keyOf, manifestName, type Snapshot } from "../../lake/index.js";
import { isObject } from "../../objects/index.js";
import { byText, digestOf, digestOfPieces, version } from "../../platform/index.js";
import { readColumns, readModels } from "../../warehouse/index.js";
import { auditJson, type AuditReport } from "../report.js";
import type { ScoreShapes, RecordShapes } from "../published/index.js";
import type { SearchLimits } from "../limits.js";
import type { Acceptance } from "../findings/index.js";
import type { Tolerances } from "../tolerances.js";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ZipEntry } from "./zip.js";

/** Everything that determines an audit's result apart from the data and the SQL. */
export interface AuditSettings {
  readonly conventions: Conventions;
  readonly tolerances: Tolerances;
  readonly shapes: ScoreShapes;
  readonly records: RecordShapes;
  readonly limits: SearchLimits | null;
  readonly accept: readonly Acceptance[];
}

/** The contents of `bundle.json`. */
export interface BundleIndex {
  readonly format: 1;
  readonly recount: string;
  readonly project_id: string;
  readonly snapshot: string;
  readonly created_at: string;
  readonly settings: AuditSettings;
  /** All other entries. */
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
}

export const indexName = "bundle.json";
export const auditName = "audit.json";

/** Tables that the SQL reads: a bundle contains no other data. */
export const bundledTables: readonly string[] = Object.keys(readColumns);

/** The folder of a snapshot in a bundle; unpacked, `lake/` is a lake. */
function snapshotFolder(projectId: string, id: string): string {
  return `lake/${projectId}/snapshots/${id}`;
}

async function indexedFile({ path, content }: ZipEntry): Promise<BundleIndex["files"][number]> {
  if (typeof content !== "string")
    return { path, ...(await ("file" in content ? digestOf(content.file) : content.digest())) };
  return { path, sha256: createHash("sha256").update(content).digest("hex"), bytes: Buffer.byteLength(content) };
}

/** All entries of a bundle: audit, settings, version, SQL, manifest and data. */
export async function bundleEntries(
  snapshot: Snapshot,
  settings: AuditSettings,
  report: AuditReport,
): Promise<ZipEntry[]> {
  const { id, projectId, manifest } = snapshot;
  const folder = snapshotFolder(projectId, id);
  const parts = manifest.units
    .flatMap((unit) => unit.parts)
    .filter((part) => bundledTables.includes(part.table))
    .map((part): ZipEntry => {
      const { path, bytes } = part;
      const file = snapshot.locate(path);
      const remote = { bytes, open: () => snapshot.stream(path), digest: () => snapshot.digest(path) };
      return { path: keyOf(folder, part, path), content: isObject(file) ? remote : { file } };
    });
  const digest = await digestOfPieces(auditJson(report));
  const audit = {
    bytes: digest.bytes,
    open: () => Promise.resolve(Readable.from(auditJson(report))),
    digest: () => Promise.resolve(digest),
  };
  const models = (await readModels()).map((model): ZipEntry => ({ path: `sql/${model.file}`, content: model.sql }));
  const entries: ZipEntry[] = [
    { path: auditName, content: audit },
    { path: `${folder}/${manifestName}`, content: (await snapshot.read(manifestName)) ?? "" },
    ...models,
    ...parts,
  ].sort((a, b) => byText(a.path, b.path));
  const index: BundleIndex = {
    format: 1,
    recount: version,
    project_id: projectId,
    snapshot: id,
    created_at: manifest.created_at,
    settings,
    files: await Promise.all(entries.map(indexedFile)),
  };
  return [{ path: indexName, content: `${JSON.stringify(index, null, 2)}\n` }, ...entries];
}
