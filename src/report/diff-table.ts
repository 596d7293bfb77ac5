import type { SnapshotDiff, TableDiff } from "../audit/index.js";
import { counted } from "../platform/index.js";
import { shortNumber } from "./numbers.js";
import { renderTable, truncated } from "./table.js";

const right = "right" as const;

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
      { head: "table" },
      { head: "added", align: right },
      { head: "removed", align: right },
      { head: "changed", align: right },
    ],
    tables.map((one) => [one.table, String(one.added), String(one.removed), String(one.changed)]),
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
  const rank = (value: number | null) => (value === null ? "-" : String(value));
  const table = renderTable(
    [
      { head: "experiment" },
      { head: "metric" },
      { head: "item" },
      { head: "before", align: right },
      { head: "after", align: right },
      { head: "rank", align: right },
    ],
    some.map((one) => [
      one.experiment_id,
      [one.kind, one.dimension, one.source].filter((part) => part !== "").join(" "),
      one.item,
      shortNumber(one.before),
      shortNumber(one.after),
      one.rank_before === one.rank_after ? rank(one.rank_after) : `${rank(one.rank_before)} → ${rank(one.rank_after)}`,
    ]),
  );
  return ["", "Recomputed numbers:", "", table, ...(more === null ? [] : [more])];
}
