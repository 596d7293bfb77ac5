import { messageOf, type Log } from "../platform/index.js";
import { currentSnapshot, openSnapshot, type Manifest } from "../lake/index.js";

/** The manifest of the newest snapshot; null when there is none, or, with a warning, when it is damaged. */
export async function previousManifest(lake: string, projectId: string, log: Log): Promise<Manifest | null> {
  const id = await currentSnapshot(lake, projectId);
  if (id === null) return null;
  try {
    return (await openSnapshot(lake, projectId, id)).manifest;
  } catch (error) {
    log.warn(`The previous snapshot is not used: ${messageOf(error)}`);
    return null;
  }
}
