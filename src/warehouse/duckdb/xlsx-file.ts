import { pipeline } from "node:stream/promises";
import type { DuckDBResult } from "@duckdb/node-api";
import { writeXlsxStream } from "hucre/xlsx";
import { fileMode, fs, UsageError } from "../../platform/index.js";
import type { Row } from "../engine.js";
import { DuckDBTypeId } from "./api.js";
import { rowStream } from "./results.js";

/** What a sheet of a spreadsheet holds. */
const maximum = { rows: 1_048_576, characters: 32_767 };

const instants = new Set<DuckDBTypeId>([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

type SheetCell = string | number | boolean | Date | null;

/**
 * Writes a result as a spreadsheet with one sheet: numbers as numbers where a double has all their
 * digits, instants as dates in UTC, lists and structs as JSON.
 */
export async function writeXlsx(result: DuckDBResult, file: string): Promise<void> {
  const rows = rowStream(result);
  const types = result.columnTypes();
  const isInstant = types.map(({ typeId }) => instants.has(typeId));
  async function* cells(): AsyncGenerator<SheetCell[]> {
    for (let first = 2; ; first += 2048) {
      const some = await rows.take(2048);
      for (const [i, row] of some.entries()) {
        if (first + i > maximum.rows)
          throw new UsageError(
            `A sheet holds ${maximum.rows - 1} rows. Pass --rows ${maximum.rows - 1}, or ` +
              "write CSV.",
          );
        yield row.map((value, column) =>
          xlsxCell(value, first + i, rows.columns[column], isInstant[column] ?? false),
        );
      }
      if (some.length < 2048) return;
    }
  }
  const columns = rows.columns.map(({ name }) => ({ header: name }));
  const sheet = writeXlsxStream(cells(), {
    name: "query",
    columns,
    freezePane: { rows: 1 },
    zip64: true,
  });
  await pipeline(sheet, fs.createWriteStream(file, { mode: fileMode }));
}

function xlsxCell(
  value: Row[string],
  row: number,
  column: { readonly name: string; readonly isNumber: boolean } | undefined,
  isInstant: boolean,
): SheetCell {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" && isInstant) return new Date(value);
  if (
    typeof value === "string" &&
    column?.isNumber === true &&
    value.replace(/\D/g, "").length <= 15
  )
    return Number(value);
  const written = typeof value === "string" ? value : JSON.stringify(value, bigintAsText);
  if (written.length <= maximum.characters) return written;
  throw new UsageError(
    `${column?.name ?? ""} in row ${row} has ${written.length} characters, and a cell holds ` +
      `${maximum.characters}. ` +
      "Leave it out of the query, or write CSV.",
  );
}

const bigintAsText = (_: string, value: unknown) =>
  typeof value === "bigint" ? String(value) : value;
