/** A response before it leaves: the body whole, or as rows of JSON text that are joined on the way. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: { whole: Buffer } | { rows: Iterable<string> } | null;
}

const flushAt = 128 * 1024;

export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Outgoing => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: { whole: Buffer.from(JSON.stringify(value)) },
});

export const list = (rows: Iterable<string>): Outgoing => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: { rows },
});

/** The bytes of a body in pieces of about 128 KiB, made as they are taken. */
export function* pieces(body: Outgoing["body"]): Generator<Buffer> {
  if (body === null) return;
  if ("whole" in body) {
    yield body.whole;
    return;
  }
  let text = "[";
  let first = true;
  for (const row of body.rows) {
    text += first ? row : `,${row}`;
    first = false;
    if (text.length < flushAt) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}]`);
}

export function* stringified(rows: Iterable<unknown>): Generator<string> {
  for (const row of rows) yield JSON.stringify(row);
}
