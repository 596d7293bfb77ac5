import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TableName } from "../../src/contract/index.js";
import { convertToPart, type BodySource } from "../../src/extract/part.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import { scanBody, type Scan } from "../../src/extract/scan.js";
import { tableShape } from "../../src/extract/plan.js";

/** Scans a body, a list or a single record, that arrives in pieces of these sizes. Undefined if some element may not fit. */
export function scanOf(
  body: string | Buffer,
  table: TableName,
  sizes: number | readonly number[],
  isSingle = false,
): Scan | undefined {
  const scanning = scanBody({ ...tableShape(table), isSingle }, 1);
  const bytes = Buffer.from(body as string);
  const pieces = [sizes].flat();
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const piece = bytes.subarray(at, at + (pieces[i % pieces.length] ?? 1));
    scanning.push(piece);
    at += piece.length;
  }
  return scanning.finish();
}

/** What the exact reader makes of a body, and what `convert` makes of it with a scan: they must agree in all but the reader. */
export async function readTwice(
  { warehouse, dir }: { readonly warehouse: Warehouse; readonly dir: string },
  body: string | Buffer,
  list: TableName,
  {
    table = list,
    sizes = 11,
    form = "list",
  }: Partial<{ table: TableName; sizes: number; form: BodySource["form"] }> = {},
) {
  const file = join(dir, "body.json");
  writeFileSync(file, body);
  const scan = scanOf(body, list, sizes, form === "record");
  const read = async (name: string, source: BodySource) => {
    const target = {
      table,
      file: join(dir, `${name}.parquet`),
      quarantine: join(dir, `${name}.jsonl`),
    };
    rmSync(target.quarantine, { force: true });
    const { reader, ...done } = await convertToPart(warehouse, source, target);
    const raw = existsSync(target.quarantine) ? readFileSync(target.quarantine, "utf8") : "";
    return {
      reader,
      made: { ...done, raw, found: await warehouse.all(`from read_parquet('${target.file}')`) },
    };
  };
  const [exact, fast] = [
    await read("exact", { file, form }),
    await read("fast", { file, form, scan }),
  ];
  return { file, scan, exact, fast };
}
