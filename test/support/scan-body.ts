import type { TableName } from "../../src/contract/index.js";
import { shapeOf, type Scan } from "../../src/extract/json/index.js";
import { createListScanner } from "../../src/extract/json/list-scanner.js";

/** Scans a body, a list or a single record, that arrives in pieces of the given size. */
export function scanOf(body: string | Buffer, table: TableName, piece: number, isSingle = false): Scan {
  const scanner = createListScanner({ ...shapeOf(table), isSingle });
  const bytes = Buffer.from(body as string);
  for (let at = 0; at < bytes.length; at += piece) {
    const part = bytes.subarray(at, at + piece);
    scanner.space().set(part);
    scanner.pushed(part.length);
  }
  return scanner.finish();
}
