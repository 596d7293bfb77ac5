/** A value of a row as plain JavaScript. Integers beyond 2^53 stay bigint; instants are ISO text in UTC. */
type Plain = null | boolean | number | bigint | string | Uint8Array | Plain[] | { [key: string]: Plain };

export type Row = Record<string, Plain>;

/** A column of a row as text; NULL is empty. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return "";
}
