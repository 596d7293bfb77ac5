import { dirname } from "node:path";
import { fsp, fsyncDir, fsyncFile, makeDir } from "../../platform/index.js";
import type { LakeAudit } from "../audit-lake.js";
import { bundleEntries, type AuditSettings } from "./contents.js";
import { writeZip } from "./zip.js";

/**
 * Writes the evidence bundle of an audit: everything a third party needs to repeat it offline. The same audit gives
 * the same bytes. The bundle contains the ratings, so it is as confidential as they are.
 */
export async function writeBundle(
  file: string,
  { snapshot, report }: Pick<LakeAudit, "snapshot" | "report">,
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
