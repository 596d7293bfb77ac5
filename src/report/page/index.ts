export { findBrowser, type Browser } from "./pdf.js";
import type { LakeAudit } from "../../audit/index.js";
import { listSnapshots, readManifest, type Manifest } from "../../lake/index.js";
import type { Conventions } from "../../metrics/index.js";
import { mapTexts, visible, type Redact } from "../../platform/index.js";
import { gatherReport } from "./data/index.js";
import { limits } from "./limits.js";
import { renderPage } from "./page.js";

/**
 * An audit as one HTML file, without clock or network: the same lake gives the same bytes. The warehouse of the audit must
 * be open and hold every model. Secrets are hidden, and control characters in names are escaped as on the console.
 */
export async function reportPage(
  lake: string,
  audited: LakeAudit,
  conventions: Conventions,
  redact: Redact,
): Promise<string> {
  const data = await gatherReport(audited, conventions, await manifestBefore(lake, audited));
  return renderPage(mapTexts(data, (text) => visible(shortened(redact(text)))));
}

const shortened = (text: string): string => (text.length > limits.text ? `${text.slice(0, limits.text)}…` : text);

/** The manifest of the snapshot before; null if there is none, or it is no longer in the lake. */
async function manifestBefore(lake: string, { snapshot }: LakeAudit): Promise<Manifest | null> {
  const { previous, project_id } = snapshot.manifest;
  const isThere = previous !== null && (await listSnapshots(lake, project_id)).includes(previous);
  return isThere ? readManifest(lake, project_id, previous) : null;
}
