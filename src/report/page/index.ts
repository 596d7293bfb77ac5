export { findBrowser, type Browser } from "./pdf.js";
import { exceptVerdicts, type LakeAudit } from "../../audit/index.js";
import type { Conventions } from "../../metrics/index.js";
import { mapTexts, visible, type Redact } from "../../platform/index.js";
import { changesSince } from "./changes.js";
import { gatherReport } from "./gather.js";
import { limits } from "./html.js";
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
  const changes = await changesSince(lake, audited.snapshot.manifest, conventions);
  const data = await gatherReport(audited, conventions, changes);
  const hide = exceptVerdicts(redact);
  return renderPage(mapTexts(data, (text) => visible(shortened(hide(text)))));
}

const shortened = (text: string): string => (text.length > limits.text ? `${text.slice(0, limits.text)}…` : text);
