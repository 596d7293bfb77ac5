import { extname } from "node:path";
import { UsageError } from "../platform/index.js";
import type { QueryFormat } from "../warehouse/index.js";

interface Format {
  /** Endings of file names that mean this format. */
  readonly endings: readonly string[];
  /** True if a terminal can show it. */
  readonly isText: boolean;
}

/** Formats of a query's answer that are made for reading, a line for each row. */
export type LineFormat = "table" | "md";

/** The formats of a query's answer. */
export const queryFormats = {
  table: { endings: [".txt"], isText: true },
  md: { endings: [".md"], isText: true },
  csv: { endings: [".csv"], isText: true },
  json: { endings: [".json"], isText: true },
  jsonl: { endings: [".jsonl", ".ndjson"], isText: true },
  parquet: { endings: [".parquet"], isText: false },
  arrow: { endings: [".arrow", ".feather", ".ipc"], isText: false },
  xlsx: { endings: [".xlsx"], isText: false },
} as const satisfies Record<QueryFormat | LineFormat, Format>;

export type AnswerFormat = keyof typeof queryFormats;

export const formatNames = Object.keys(queryFormats) as readonly AnswerFormat[];

/** The format that the ending of a file's name means. @throws UsageError for an ending that means none. */
export function formatOf(file: string): AnswerFormat {
  const ending = extname(file).toLowerCase();
  const format = formatNames.find((name) => (queryFormats[name].endings as readonly string[]).includes(ending));
  if (format !== undefined) return format;
  const known = formatNames.flatMap((name) => queryFormats[name].endings).join(", ");
  throw new UsageError(`--output ${file}: its ending means no format. Use one of ${known}, or pass --format.`);
}
