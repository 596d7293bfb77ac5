import type { DuckDBResult, DuckDBType } from "@duckdb/node-api";
import type { RowStream } from "../../engine.js";
import type { Row } from "../../row.js";
import { DuckDBDataChunk, DuckDBTypeId, JSDuckDBValueConverter } from "../api.js";
import { numericTypes } from "../numeric-types.js";
import { plain } from "./plain.js";

/** Types whose plain JavaScript value has less than their text. */
const asText = new Set<DuckDBTypeId>([
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIME_NS,
  DuckDBTypeId.INTERVAL,
  DuckDBTypeId.BIT,
]);

/** The rows of a streaming result. Only those that are taken are converted. */
export function rowStream(result: DuckDBResult): RowStream {
  const types = result.columnTypes();
  let chunk: DuckDBDataChunk | null = null;
  let at = 0;
  /** Makes `chunk` one with a row at `at`; false at the end. */
  const advance = async (): Promise<boolean> => {
    while (chunk === null || at >= chunk.rowCount) {
      chunk = await result.fetchChunk();
      at = 0;
      if (chunk === null || chunk.rowCount === 0) return false;
    }
    return true;
  };
  return {
    columns: result
      .columnNames()
      .map((name, i) => ({ name, isNumber: numericTypes.has((types[i] as DuckDBType).typeId) })),
    async take(count) {
      const rows: Row[string][][] = [];
      while (rows.length < count && (await advance()))
        while (rows.length < count && at < (chunk as DuckDBDataChunk).rowCount)
          rows.push(rowAt(chunk as DuckDBDataChunk, at++, types));
      return rows;
    },
    async skip() {
      let rows = 0;
      while (await advance()) {
        rows += (chunk as DuckDBDataChunk).rowCount - at;
        at = (chunk as DuckDBDataChunk).rowCount;
      }
      return rows;
    },
  };
}

function rowAt(chunk: DuckDBDataChunk, row: number, types: readonly DuckDBType[]): Row[string][] {
  return types.map((type, column) => {
    const value = chunk.getColumnVector(column).getItem(row);
    if (value === null) return null;
    return asText.has(type.typeId) ? String(value) : plain(JSDuckDBValueConverter(value, type, JSDuckDBValueConverter));
  });
}
