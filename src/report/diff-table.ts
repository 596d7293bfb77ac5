import type { SnapshotDiff, TableDiff } from "../audit/index.js";
import { counted } from "../platform/index.js";
import { rankText, shortNumber } from "./numbers.js";
import { renderTable, truncated } from "./table.js";

/** Tables with published numbers. */
const published = new Set(["results", "metrics", "leaderboards", "rubrics"]);

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** What differs between two snapshots: rows by table, some of them, published numbers, then recomputed ones. */
export function renderDiff({ before, after, tables, numbers }: SnapshotDiff, limit: number): string {
  const rows = tables.reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);
  const head = `${before} → ${after}: ${counted(rows, "row")} and ${counted(numbers.length, "recomputed number")} differ.`;
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
  const republished = tables.filter((one) => published.has(one.table));
  const count = republished.reduce((sum, { added, changed }) => sum + added + changed, 0);
  const note =
    count === 0
      ? []
      : ["", `Published again: ${counted(count, "record")} of ${republished.map((one) => one.table).join(", ")}.`];
  return [
    head,
    "",
    table,
    ...note,
    ...tables.flatMap((one) => examplesOf(one, limit)),
    ...numbersOf(numbers, limit),
  ].join("\n");
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

function numbersOf(numbers: SnapshotDiff["numbers"], limit: number): string[] {
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
  );
  return ["", "Recomputed numbers:", "", table, ...(more === null ? [] : [more])];
}
