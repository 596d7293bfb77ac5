import { keyOf, type Part } from "../../lake/index.js";
import { cachedBy } from "../../platform/index.js";
import { text } from "../../warehouse/index.js";
import type { ExportContext } from "../context.js";

/** The rows of a part in a file of this machine. From object storage they are read once an export. */
export function localPart(context: ExportContext, part: Part): Promise<string> {
  const file = context.store.locate(keyOf(context.checkpoint.staged, part, part.path));
  return part.snapshot === undefined ? Promise.resolve(file) : copyOf(context, file);
}

const copyOf = cachedBy(({ checkpoint, sessions }: ExportContext, file: string) =>
  sessions.use(async (warehouse) => {
    const copy = `${checkpoint.scratchFile()}.parquet`;
    await warehouse.all(
      `copy (from read_parquet(${text(file)}, hive_partitioning = false)) to ${text(copy)} (format parquet)`,
    );
    return copy;
  }),
);
