import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { LineFormat } from "../pipeline/index.js";
import { fileMode, fs } from "../platform/index.js";
import type { Warehouse } from "../warehouse/index.js";
import { drained, print } from "./console.js";

/** Rows of a table by default. */
const preview = 40;

/** Rows that are rendered at once; those of the first batch decide how wide a table's columns are. */
const batch = 1024;

/** Writes a query's rows as lines to a file, or to standard output. */
export async function writeLines(
  warehouse: Warehouse,
  sql: string,
  format: LineFormat,
  limit: number | undefined,
  file?: string,
): Promise<void> {
  if (file === undefined) {
    const show = async (text: string) => {
      print(text);
      await drained();
    };
    return lines(warehouse, sql, format, limit, show, process.stdout.isTTY ? process.stdout.columns : undefined);
  }
  const out = fs.createWriteStream(file, { mode: fileMode });
  const done = finished(out);
  await lines(warehouse, sql, format, limit, async (text) => {
    if (!out.write(`${text}\n`)) await Promise.race([once(out, "drain"), done]);
  });
  out.end();
  await done;
}

async function lines(
  warehouse: Warehouse,
  sql: string,
  format: LineFormat,
  limit: number | undefined,
  write: (text: string) => Promise<void>,
  width?: number,
): Promise<void> {
  const { markdownHeader, markdownRows, rowsTable } = await import("../report/index.js");
  const wanted = limit ?? (format === "table" ? preview : Infinity);
  const rows = await warehouse.stream(sql);
  const next = (shown: number) => rows.take(Math.min(batch, wanted - shown));
  let some = await next(0);
  const table = format === "table" ? rowsTable(rows.columns, some, width) : undefined;
  await write(table?.header ?? markdownHeader(rows.columns));
  let shown = 0;
  for (; some.length > 0; some = await next(shown)) {
    await write(table?.lines(some) ?? markdownRows(some));
    shown += some.length;
  }
  if (table !== undefined) await write(`\n${table.footer(shown, shown + (await rows.skip()))}`);
}
