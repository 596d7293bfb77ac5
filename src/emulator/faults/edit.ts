/** Changes to the rows of a list, each row being JSON text. */
export type RowTexts = Iterable<string>;

/** Rows `from` (inclusive) to `to` (exclusive). */
export function* slice(rows: RowTexts, from: number, to: number): Generator<string> {
  let index = 0;
  for (const row of rows) {
    if (index >= to) return;
    if (index >= from) yield row;
    index += 1;
  }
}

function* mapped(rows: RowTexts, change: (text: string, index: number) => string): Generator<string> {
  let index = 0;
  for (const row of rows) {
    yield change(row, index);
    index += 1;
  }
}

export const mapAt = (rows: RowTexts, at: number, change: (text: string) => string): RowTexts =>
  mapped(rows, (text, index) => (index === at ? change(text) : text));

export const mapFrom = (rows: RowTexts, from: number, change: (text: string) => string): RowTexts =>
  mapped(rows, (text, index) => (index >= from ? change(text) : text));

export const fieldsOf = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** The row with `raw`, which need not be JSON, as the value of a field. */
export function withRaw(text: string, field: string, raw: string): string {
  const mark = "\u0000raw\u0000";
  return JSON.stringify({ ...fieldsOf(text), [field]: mark }).replace(JSON.stringify(mark), () => raw);
}
