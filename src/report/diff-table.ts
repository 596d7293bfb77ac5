import { sourceText, type PublishedDiff, type SnapshotDiff, type TableDiff } from "../audit/index.js";
import { isKind, mainField } from "../metrics/index.js";
import { counted, listed } from "../platform/index.js";
import { columnOfNumbers, rankText, shortNumber } from "./numbers.js";
import { renderTable, truncated, wrapped } from "./table.js";

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** `alder, elo: published 2095.20 → 2107.70, although no rating changed`, after the experiment. */
function republishedLine({ experiment, dimension, source, kind, field, item, ...change }: PublishedDiff): string {
  const [before, after] = columnOfNumbers([change.before, change.after]);
  const isMain = isKind(kind) && mainField(kind) === field;
  const what = [experiment, item, isMain ? kind : `${kind} ${field}`, dimension, sourceText(source)];
  const values =
    change.after === null ? `${before} is gone` : change.before === null ? `now ${after}` : `${before} → ${after}`;
  const although = change.is_rating_changed ? "" : ", although no rating changed";
  return `${what.filter((text) => text !== "").join(", ")}: published ${values}${although}`;
}

/** One line for each number, wherever it is published. */
export const republishedLines = (published: readonly PublishedDiff[]): string[] => [
  ...new Set(published.map(republishedLine)),
];

/** What differs between two snapshots: published numbers, rows by table, some of them, then recomputed numbers. */
export function renderDiff(
  { before, after, tables, numbers, published }: SnapshotDiff,
  limit: number,
  width = Infinity,
): string {
  const rows = tables.reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);
  const counts = [
    counted(published.length, "published number"),
    counted(rows, "row"),
    counted(numbers.length, "recomputed number"),
  ];
  const head = `${before} → ${after}: ${listed(counts)} differ.`;
  if (tables.length === 0) return head;
  const table = renderTable(
    [
      { head: "table", cell: (one) => one.table },
      { head: "added", align: "right", cell: ({ added }) => String(added) },
      { head: "removed", align: "right", cell: ({ removed }) => String(removed) },
      { head: "changed", align: "right", cell: ({ changed }) => String(changed) },
    ],
    tables,
  );
  const { shown: first, more } = truncated(republishedLines(published), limit * 4);
  return [
    head,
    ...(first.length === 0 ? [] : ["", ...first, ...(more === null ? [] : [more])]),
    "",
    table,
    ...tables.flatMap((one) => examplesOf(one, limit)),
    ...numbersOf(numbers, limit, width),
  ]
    .map((text) => (text.includes("\n") ? text : wrapped(text, width, "    ")))
    .join("\n");
}

function examplesOf({ table, examples, added, removed, changed }: TableDiff, limit: number): string[] {
  const lines = examples.slice(0, limit).map(({ state, key, columns }) => {
    const given = Object.entries(key).filter(([, value]) => value !== null && value !== "");
    const named = given.map(([name, value]) => `${name}=${shown(value)}`);
    const what = Object.entries(columns).map(([name, one]) => `${name}: ${shown(one.before)} → ${shown(one.after)}`);
    return `  ${state} ${named.join(" ")}${what.length === 0 ? "" : `; ${what.join(", ")}`}`;
  });
  const more = added + removed + changed - lines.length;
  return ["", `${table}:`, ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])];
}

function numbersOf(numbers: SnapshotDiff["numbers"], limit: number, width: number): string[] {
  if (numbers.length === 0) return [];
  const { shown: some, more } = truncated(numbers, limit * 4);
  const table = renderTable(
    [
      { head: "experiment", cell: ({ experiment_id }) => experiment_id },
      {
        head: "metric",
        cell: ({ kind, dimension, source }) => [kind, dimension, source].filter((part) => part !== "").join(" "),
      },
      { head: "item", cell: ({ item }) => item },
      { head: "before", align: "right", cell: ({ before }) => shortNumber(before) },
      { head: "after", align: "right", cell: ({ after }) => shortNumber(after) },
      { head: "rank", align: "right", cell: rankText },
    ],
    some,
    width,
  );
  return ["", "Recomputed numbers:", "", table, ...(more === null ? [] : [more])];
}
