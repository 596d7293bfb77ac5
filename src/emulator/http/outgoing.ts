/** The rows of a list, as values or as JSON texts, generated on demand. */
export type ListRows = { values: Iterable<unknown> } | { texts: Iterable<string> };

/** A response to send. Rows are joined to a list while they are sent. */
export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  body: { whole: Buffer } | ListRows | null;
}

const flushAt = 128 * 1024;
const together = 256;

export const json = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): OutgoingResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: { whole: Buffer.from(JSON.stringify(value)) },
});

export const text = (type: string, body: string): OutgoingResponse => ({
  status: 200,
  headers: { "content-type": type },
  body: { whole: Buffer.from(body) },
});

export const list = (rows: ListRows): OutgoingResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: rows,
});

/** The presented rows, generated on demand. */
export const presentEach = <T>(
  rows: Iterable<T>,
  present: (row: T) => unknown,
  isIncluded: (row: T) => boolean = () => true,
): ListRows => ({ values: presented(rows, present, isIncluded) });

function* presented<T>(rows: Iterable<T>, present: (row: T) => unknown, isIncluded: (row: T) => boolean): Generator {
  for (const row of rows) if (isIncluded(row)) yield present(row);
}

/** The bytes of a body in pieces of about 128 KiB, generated on demand. */
export function* pieces(body: OutgoingResponse["body"]): Generator<Buffer> {
  if (body === null) return;
  if ("whole" in body) {
    yield body.whole;
    return;
  }
  let text = "[";
  let first = true;
  for (const row of "texts" in body ? body.texts : joined(body.values)) {
    text += first ? row : `,${row}`;
    first = false;
    if (text.length < flushAt) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}]`);
}

/** The JSON text of each row. */
export const textsOf = (rows: ListRows): Iterable<string> => ("texts" in rows ? rows.texts : stringified(rows.values));

function* stringified(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

/** Several rows at a time, joined by commas: JSON.stringify is twice as fast on one array as on many small objects. */
function* joined(values: Iterable<unknown>): Generator<string> {
  let batch: unknown[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < together) continue;
    yield JSON.stringify(batch).slice(1, -1);
    batch = [];
  }
  if (batch.length > 0) yield JSON.stringify(batch).slice(1, -1);
}
