import type { Struck } from "./injector.js";
import { olderRow } from "./older-row.js";

type Fields = Record<string, unknown>;
type Rows = Iterable<string>;

/** The rows of a list after the faults that touch rows. */
export function spoiltRows(rows: Rows, faults: readonly Struck[], operation: string | null): Rows {
  return faults.reduce((own, struck) => spoil(own, struck, operation), rows);
}

function spoil(rows: Rows, { fault, before }: Struck, operation: string | null): Rows {
  switch (fault.kind) {
    case "short_list":
      return slice(rows, 0, fault.rows);
    case "changing":
      return slice(rows, before * (fault.rows ?? 1), Infinity);
    case "duplicate_keys":
      return mapAt(rows, fault.row, (text) => text.replace(/^\{("[^"]+":)/, "{$1null,$1"));
    case "wrong_type":
      return mapAt(rows, fault.row, (text) =>
        withRaw(text, fault.field, JSON.stringify(opposite((JSON.parse(text) as Fields)[fault.field]))),
      );
    case "raw_value":
      return mapAt(rows, fault.row, (text) => withRaw(text, fault.field, fault.text));
    case "raw_row":
      return mapAt(rows, fault.row, () => fault.text);
    case "double_row":
      return mapAt(rows, fault.row, (text) => `${text},${text}`);
    case "unknown_fields":
      return mapFrom(rows, fault.from_row ?? 0, (text) =>
        text.replace(/\}$/, ',"x_confidence":0.5,"x_labels":["new","kept"]}'),
      );
    case "older_shape":
      return mapFrom(rows, fault.from_row, (text) => olderRow(text, operation));
    default:
      return rows;
  }
}

function* slice(rows: Rows, from: number, to: number): Generator<string> {
  let index = 0;
  for (const row of rows) {
    if (index >= to) return;
    if (index >= from) yield row;
    index += 1;
  }
}

function* mapped(rows: Rows, change: (text: string, index: number) => string): Generator<string> {
  let index = 0;
  for (const row of rows) {
    yield change(row, index);
    index += 1;
  }
}

const mapAt = (rows: Rows, at: number, change: (text: string) => string): Rows =>
  mapped(rows, (text, index) => (index === at ? change(text) : text));

const mapFrom = (rows: Rows, from: number, change: (text: string) => string): Rows =>
  mapped(rows, (text, index) => (index >= from ? change(text) : text));

/** The row with `raw` written for the value of a field, whatever it is. */
function withRaw(text: string, field: string, raw: string): string {
  const mark = "\u0000raw\u0000";
  const row = { ...(JSON.parse(text) as Fields), [field]: mark };
  return JSON.stringify(row).replace(JSON.stringify(mark), () => raw);
}

/** A value of another JSON type. */
function opposite(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "string") return { was: value };
  return typeof value === "boolean" ? "perhaps" : 7;
}
