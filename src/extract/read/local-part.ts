import { keyOf, type Part } from "../../lake/index.js";
import { text } from "../../warehouse/index.js";
import type { ExportContext } from "../context.js";

/** The rows of a part in a file of this machine. From object storage they are read once an export. */
export function localPart({ store, checkpoint, sessions, copies }: ExportContext, part: Part): Promise<string> {
  const file = store.locate(keyOf(checkpoint.staged, part, part.path));
  if (part.snapshot === undefined) return Promise.resolve(file);
  const copied =
    copies.get(file) ??
    sessions.use(async (warehouse) => {
      const copy = `${checkpoint.scratchFile()}.parquet`;
      await warehouse.all(
        `copy (from read_parquet(${text(file)}, hive_partitioning = false)) to ${text(copy)} (format parquet)`,
      );
      return copy;
    });
  copies.set(file, copied);
  return copied;
}
