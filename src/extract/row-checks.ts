/** The data checks of rows, which a snapshot passes before it is published. */
import { isDeepStrictEqual } from "node:util";
import { tablesIn, type Manifest } from "../lake/index.js";
import {
  ExportError,
  messageOf,
  sumOf,
  systemCodeOf,
  UsageError,
  version,
} from "../platform/index.js";
import { checkRows, checkTables } from "../warehouse/index.js";
import type { ExportContext } from "./context.js";
import { isOutOfMemory } from "./part.js";

const partsIn = ({ units }: Manifest) => units.flatMap(({ parts }) => parts);
const partDigests = (manifest: Manifest) =>
  partsIn(manifest).map(({ path, sha256 }) => [path, sha256]);

/** For ten million ratings, some of which go to the disk. */
const usualMemory = "300MB";

/** Bytes of parts below which the engine that made them checks them with less CPU time. */
const smallSnapshot = 1 << 23;

export async function checkStaged(
  {
    store,
    checkpoint,
    previous,
    sessions,
  }: Pick<ExportContext, "store" | "checkpoint" | "previous" | "sessions">,
  manifest: Manifest,
): Promise<NonNullable<Manifest["checks"]>> {
  const before = previous.manifest;
  if (
    before?.recount === version &&
    before.checks &&
    isDeepStrictEqual(partDigests(before), partDigests(manifest))
  )
    return before.checks;
  const sources = tablesIn(store, checkpoint.staged, manifest);
  const bytes = sumOf(partsIn(manifest).map((part) => part.bytes));
  const check = (memory?: string) => checkTables({ sources, memory, spill: checkpoint.scratch });
  const checkSmall = () =>
    sessions.use(async (warehouse) => checkRows(await warehouse.over(sources), sources));
  try {
    const checked = bytes < smallSnapshot ? checkSmall() : check(usualMemory);
    return await checked.catch((error: unknown) => {
      if (!isOutOfMemory(error)) throw error;
      return check();
    });
  } catch (error) {
    // Parts of earlier snapshots may be in object storage, which fails now and then.
    if (!(error instanceof UsageError) && systemCodeOf(error) === undefined) throw error;
    throw new ExportError(`${manifest.project_id}: nothing was published: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
