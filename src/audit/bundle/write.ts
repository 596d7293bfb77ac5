/** Writes the evidence bundle of an audit. */
import { dirname } from "node:path";
import {
  makeDir,
  temporaryFile,
  UsageError,
  byText,
  digestOf,
  digestOfPieces,
  version,
  copyTo,
  isObject,
} from "../../platform/index.js";
import { writeZip, type ZipEntry } from "./zip.js";
import {
  type Pseudonyms,
  readColumns,
  readModels,
  addPseudonyms,
  openWarehouse,
  partFormat,
  pseudonymisedPart,
} from "../../warehouse/index.js";
import type { AuditOptions } from "../audit.js";
import { auditLake, type LakeAudit } from "../lake.js";
import { readableEntries } from "./readable.js";
import { auditJson, type AuditReport } from "../tell/report.js";
import type { Conventions } from "../../metrics/index.js";
import {
  fileKey,
  manifestName,
  type Snapshot,
  columnsWritten,
  layoutOf,
  manifestText,
  manifestUnder,
  openStore,
  type Manifest,
  type Unit,
} from "../../lake/index.js";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";

type RenderPage = (lake: string, audited: LakeAudit) => Promise<string>;

/**
 * The same audit gives the same bytes. The bundle is as confidential as the ratings in it.
 * @param pseudonyms if given, bundle and audit are of a copy under pseudonyms
 */
export async function writeBundle(
  file: string,
  lake: string,
  audited: LakeAudit,
  settings: AuditSettings,
  render: RenderPage,
  pseudonyms?: Pseudonyms,
): Promise<void> {
  const { pseudonyms: keyId } = audited.snapshot.manifest;
  if (pseudonyms === undefined || keyId === pseudonyms.keyId)
    return pack(file, audited, settings, await render(lake, audited));
  if (keyId !== undefined)
    throw new UsageError(
      `Snapshot ${audited.snapshot.id} has pseudonyms of the key ${keyId}: pseudonymise with ` +
        "that key.",
    );
  await temporaryFile("recount-pseudonyms", async (copy) => {
    const { id, projectId } = audited.snapshot;
    await copyUnderPseudonyms(audited.snapshot, pseudonyms, copy);
    const options = { ...settings, snapshot: id, tables: bundledTables } as const;
    const again = await auditLake(copy, projectId, options);
    try {
      await pack(file, again, settings, await render(copy, again));
    } finally {
      again.warehouse.close();
    }
  });
}

async function pack(
  file: string,
  { snapshot, report }: LakeAudit,
  { conventions, tolerances, shapes, records, limits, accept, ignore }: AuditSettings,
  page: string,
): Promise<void> {
  const made = { conventions, tolerances, shapes, records, limits, accept, ignore };
  await writeZip(file, await bundleEntries(snapshot, made, report, page));
}

/** All that determines the result apart from data and SQL. */
export interface AuditSettings extends Required<AuditOptions> {
  readonly conventions: Conventions;
}

export interface BundleIndex {
  readonly format: 1;
  readonly recount: string;
  readonly project_id: string;
  readonly snapshot: string;
  readonly created_at: string;
  readonly settings: AuditSettings;
  readonly files: readonly {
    readonly path: string;
    readonly sha256: string;
    readonly bytes: number;
  }[];
}

export const indexName = "bundle.json";

export const auditName = "audit.json";

export const bundledTables: readonly string[] = Object.keys(readColumns);

async function indexedFile({ path, content }: ZipEntry): Promise<BundleIndex["files"][number]> {
  if (typeof content !== "string")
    return { path, ...(await ("file" in content ? digestOf(content.file) : content.digest())) };
  return {
    path,
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: Buffer.byteLength(content),
  };
}

export async function bundleEntries(
  snapshot: Snapshot,
  settings: AuditSettings,
  report: AuditReport,
  page: string,
): Promise<ZipEntry[]> {
  const { id, projectId, manifest } = snapshot;
  // Unpacked, `lake/` is a lake.
  const folder = `lake/${projectId}/snapshots/${id}`;
  const parts = manifest.units
    .flatMap((unit) => unit.parts)
    .filter((part) => bundledTables.includes(part.table))
    .map((part): ZipEntry => {
      const { path, bytes } = part;
      const file = snapshot.locate(path);
      const remote = {
        bytes,
        open: () => snapshot.stream(path),
        digest: () => snapshot.digest(path),
      };
      return { path: fileKey(folder, part, path), content: isObject(file) ? remote : { file } };
    });
  const digest = await digestOfPieces(auditJson(report));
  const audit = {
    bytes: digest.bytes,
    open: () => Promise.resolve(Readable.from(auditJson(report))),
    digest: () => Promise.resolve(digest),
  };
  const models = (await readModels()).map(({ file, sql }) => ({
    path: `sql/${file}`,
    content: sql,
  }));
  const entries: ZipEntry[] = [
    { path: auditName, content: audit },
    { path: `${folder}/${manifestName}`, content: (await snapshot.read(manifestName)) ?? "" },
    ...models,
    ...parts,
    ...(await readableEntries(snapshot, settings.conventions, report, page, folder)),
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

/** Without free text, bodies, deletions (which have identifiers) and listings. */
async function copyUnderPseudonyms(
  snapshot: Snapshot,
  pseudonyms: Pseudonyms,
  lake: string,
): Promise<void> {
  const { id, projectId, manifest } = snapshot;
  const store = await openStore(lake);
  const folder = `${layoutOf(projectId).snapshots}/${id}`;
  const warehouse = await openWarehouse({ sources: {}, lake: snapshot.locate("") });
  try {
    addPseudonyms(warehouse, pseudonyms);
    const units: Unit[] = [];
    for (const unit of manifest.units) {
      const parts = [];
      for (const part of unit.parts) {
        const file = store.locate(fileKey(folder, part, part.path));
        await makeDir(dirname(file));
        const rows = pseudonymisedPart(part.table, snapshot.locate(part.path));
        await warehouse.all(copyTo(`(${rows})`, file, partFormat(part.table)));
        parts.push({ ...part, ...(await digestOf(file)) });
      }
      units.push({ ...unit, parts });
    }
    const copy: { -readonly [K in keyof Manifest]: Manifest[K] } = {
      ...manifestUnder(pseudonyms.keyId, manifest),
      units,
      columns: columnsWritten(units),
    };
    delete copy.tombstones;
    delete copy.raw;
    delete copy.listings;
    await store.put(`${folder}/${manifestName}`, manifestText(copy));
  } finally {
    warehouse.close();
  }
}
