/** Writes the rows of a query to a file. */
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import type { QueryFormat, WriteOptions } from "../engine.js";
import { copyTo } from "../../platform/index.js";
import { quoted, text } from "../parquet.js";
import { DuckDBTypeId, numericTypes } from "./api.js";
import { parsedStatements } from "./statements.js";

/** @param query in parentheses */
type Writer = (
  connection: DuckDBConnection,
  query: string,
  file: string,
  options: WriteOptions,
) => Promise<void>;

const resultShape = (connection: DuckDBConnection, query: string): Promise<DuckDBResult> =>
  connection.run(`from ${query} limit 0`);

const copy =
  (options: string): Writer =>
  async (connection, query, file) => {
    await connection.run(copyTo(query, file, `${options}, use_tmp_file false`));
  };

const copyCsv = copy("format csv, header true");

/** The engine writes, and streams, where it can. */
const writers: Record<QueryFormat, Writer> = {
  csv: async (connection, query, file, options) => {
    const cells = options.csvSafe === true ? safeCells(await resultShape(connection, query)) : "*";
    await copyCsv(connection, `(select ${cells} from ${query})`, file, options);
  },
  json: copy("format json, array true"),
  jsonl: copy("format json"),
  parquet: copy("format parquet, compression zstd"),
  arrow: async (connection, query, file) => {
    const { writeArrow } = await import("./arrow-file.js");
    await writeArrow(connection, query, await resultShape(connection, query), file);
  },
};

export async function writeQuery(
  connection: DuckDBConnection,
  sql: string,
  format: QueryFormat,
  file: string,
  options: WriteOptions = {},
): Promise<void> {
  // A text that is whole by itself cannot end the statement around it.
  await parsedStatements(connection, sql);
  const limit = Number.isFinite(options.limit) ? ` limit ${options.limit ?? 0}` : "";
  await writers[format](
    connection,
    `(from (${sql.trim().replace(/;\s*$/, "")}\n)${limit})`,
    file,
    options,
  );
}

/** Full-width forms count in East Asian locales. */
const formula = "^[=+\\-@\\t\\r\\n＝＋－＠]";

/** Text that is a number is safe, whatever its sign. */
const numberPattern = "^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$";

const safe = new Set<DuckDBTypeId>([
  ...numericTypes,
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

/** Puts an apostrophe before each cell and name that a spreadsheet would run as a formula. */
function safeCells(query: DuckDBResult): string {
  const cells = query.columnNames().map((name, i) => {
    const cell = quoted(name);
    const shown = quoted(new RegExp(formula).test(name) ? `'${name}` : name);
    if (safe.has(query.columnTypeId(i))) return `${cell} as ${shown}`;
    const value = `cast(${cell} as varchar)`;
    const isFormula =
      `regexp_matches(${value}, ${text(formula)}) and not regexp_matches(${value}, ` +
      `${text(numberPattern)})`;
    return `case when ${isFormula} then '''' || ${value} else ${value} end as ${shown}`;
  });
  return cells.join(", ");
}
