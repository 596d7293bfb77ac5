import { dirname } from "node:path";
import { fsp, fsyncDir, fsyncFile, makeDir, temporaryFile, UsageError } from "../../platform/index.js";
import type { Pseudonyms } from "../../warehouse/index.js";
import { auditLake, type LakeAudit } from "../audit-lake.js";
import { bundledTables, bundleEntries, type AuditSettings } from "./contents.js";
import { copyUnderPseudonyms } from "./pseudonymised-copy.js";
import { writeZip } from "./zip.js";

type Audited = Pick<LakeAudit, "snapshot" | "report">;

/**
 * Writes the evidence bundle of an audit: everything a third party needs to repeat it offline. The same audit gives
 * the same bytes. The bundle contains the ratings, so it is as confidential as they are.
 * @param pseudonyms if given, the bundle is of a copy of the snapshot under pseudonyms, and of the audit of that copy
 */
export async function writeBundle(
  file: string,
  audited: Audited,
  settings: AuditSettings,
  pseudonyms?: Pseudonyms,
): Promise<void> {
  const { pseudonyms: own } = audited.snapshot.manifest;
  if (pseudonyms === undefined || own === pseudonyms.keyId) return pack(file, audited, settings);
  if (own !== undefined)
    throw new UsageError(
      `Snapshot ${audited.snapshot.id} has pseudonyms of the key ${own}: pseudonymise with that key.`,
    );
  await temporaryFile("recount-pseudonyms", async (lake) => {
    const { id, projectId } = audited.snapshot;
    await copyUnderPseudonyms(audited.snapshot, pseudonyms, lake);
    const options = { ...settings, snapshot: id, tables: bundledTables, models: "audited" } as const;
    const again = await auditLake(lake, projectId, options);
    again.warehouse.close();
    await pack(file, again, settings);
  });
}

async function pack(
  file: string,
  { snapshot, report }: Audited,
  { conventions, tolerances, shapes, records, limits, accept }: AuditSettings,
): Promise<void> {
  await makeDir(dirname(file));
  const temporary = `${file}.tmp`;
  try {
    await writeZip(
      temporary,
      await bundleEntries(snapshot, { conventions, tolerances, shapes, records, limits, accept }, report),
    );
    await fsyncFile(temporary);
    await fsp.rename(temporary, file);
  } finally {
    await fsp.rm(temporary, { force: true });
  }
  await fsyncDir(dirname(file));
}
