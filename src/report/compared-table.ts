import { remainingText, shortNumber, differenceText, verdictText } from "./numbers.js";
import { whereOf, type PlacedRow } from "./places.js";
import { renderTable } from "./table.js";

/** What a table says about a compared number, by the head of its column. */
const columns = {
  experiment: ({ row }: PlacedRow) => row.experiment_name || row.experiment_id,
  kind: ({ row }: PlacedRow) => row.kind,
  scope: ({ row }: PlacedRow) => whereOf(row),
  "published in": ({ places }: PlacedRow) => places.join(", "),
  item: ({ row }: PlacedRow) => row.item,
  field: ({ row }: PlacedRow) => row.field,
};

const numbers = {
  published: ({ row }: PlacedRow) => shortNumber(row.published),
  recomputed: ({ row }: PlacedRow) => shortNumber(row.recomputed),
  difference: ({ row }: PlacedRow) => (row.verdict === "exact" ? "" : differenceText(row)),
  "under explanation": ({ row }: PlacedRow) =>
    row.under_explanation === null ? "" : shortNumber(row.under_explanation),
  remaining: ({ row }: PlacedRow) => remainingText(row),
};

/** A table of compared numbers: the columns of `about`, the numbers, and the verdict. */
export function comparedTable(rows: readonly PlacedRow[], about: readonly (keyof typeof columns)[]): string {
  return renderTable(
    [
      ...about.map((head) => ({ head })),
      ...Object.keys(numbers).map((head) => ({ head, align: "right" as const })),
      { head: "verdict" },
    ],
    rows.map((one) => [
      ...about.map((head) => columns[head](one)),
      ...Object.values(numbers).map((cell) => cell(one)),
      verdictText(one.row.verdict),
    ]),
  );
}
