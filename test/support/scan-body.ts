import type { TableName } from "../../src/contract/index.js";
import { scanBody, shapeOf, type Scan } from "../../src/extract/parse/index.js";

/** Scans a body, a list or a single record, that arrives in pieces of these sizes. Undefined if some element may not fit. */
export function scanOf(
  body: string | Buffer,
  table: TableName,
  sizes: number | readonly number[],
  isSingle = false,
): Scan | undefined {
  const scanning = scanBody({ ...shapeOf(table), isSingle }, 1);
  const bytes = Buffer.from(body as string);
  const pieces = [sizes].flat();
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const piece = bytes.subarray(at, at + (pieces[i % pieces.length] ?? 1));
    scanning.push(piece);
    at += piece.length;
  }
  return scanning.finish();
}
