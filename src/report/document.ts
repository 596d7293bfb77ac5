/** What a report is made of, whoever prints it: blocks of text, and tables of typed columns. */
/** What a cell shows. A number is a count, which each printer writes in its way. */
export type PlainCell = string | number | null | undefined | false;

/** A column of a table. Numbers are aligned to the right, `mid` in the middle. */
export interface TableColumn<T, C = PlainCell> {
  readonly head: string | C;
  readonly as: "plain" | "num" | "mid";
  readonly cells: (rows: readonly T[]) => readonly C[];
}

const columnAs =
  (as: TableColumn<unknown>["as"]) =>
  <T, C>(head: string, cell: (row: T, i: number) => C): TableColumn<T, C> => ({
    head,
    as,
    cells: (rows) => rows.map(cell),
  });

export const column = {
  plain: columnAs("plain"),
  num: columnAs("num"),
};

/** The columns of a table; those that are false are left out. */
export type TableColumns<T, C = PlainCell> = readonly (TableColumn<T, C> | false)[];

export interface TableBlock<C = PlainCell> {
  readonly columns: readonly Pick<TableColumn<never, C>, "head" | "as">[];
  readonly lines: readonly (readonly C[])[];
}

export function filledTable<T, C>(rows: readonly T[], columns: TableColumns<T, C>): TableBlock<C> {
  const own = columns.filter((one) => one !== false);
  const cells = own.map((one) => one.cells(rows));
  return { columns: own, lines: rows.map((_, i) => cells.map((each) => each[i] as C)) };
}

export const tabled = <T>(rows: readonly T[], columns: TableColumns<T>): TableBlock =>
  filledTable<T, PlainCell>(rows, columns);

/** Blocks below each other; null and false are nothing. */
export type Block =
  | string
  | TableBlock
  | { readonly bullets: readonly string[] }
  | { readonly code: readonly string[] }
  | null
  | false
  | readonly Block[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text in HTML and XML, also within quotes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
