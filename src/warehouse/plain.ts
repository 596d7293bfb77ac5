import type { JS } from "@duckdb/node-api";

/** A value of a row as plain JavaScript. Integers beyond 2^53 stay bigint; instants are ISO text in UTC. */
export type Plain = null | boolean | number | bigint | string | Uint8Array | Plain[] | { [key: string]: Plain };

export type Row = Record<string, Plain>;

export function plain(value: JS): Plain {
  if (typeof value === "bigint") {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((element) => plain(element));
  if (typeof value === "object" && value !== null) return plainRow(value);
  return value;
}

export function plainRow(row: Record<string, JS>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}
