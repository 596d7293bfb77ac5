/** What differs between two snapshots, on the console. */
import { sourceText } from "../audit/index.js";
import type { MethodDiff, PublishedDiff, SnapshotDiff, TableDiff } from "../changes/index.js";
import { isKind, mainField } from "../metrics/index.js";
import {
  counted,
  firstLines,
  firstOf,
  joinParts,
  listed,
  sumOf,
  thousands,
} from "../platform/index.js";
import { column, tabled, type Block, type TableBlock } from "./document.js";
import { alignedNumbers, rankText, shortNumber } from "./numbers.js";
import { printed } from "./table.js";

const givenText = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** `alder, elo: published 2095.20 → 2107.70, although no rating changed`, after the experiment. */
function republishedLine({
  experiment,
  dimension,
  source,
  kind,
  field,
  item,
  ...change
}: PublishedDiff): string {
  const [before, after] = alignedNumbers([change.before, change.after]);
  const isMain = isKind(kind) && mainField(kind) === field;
  const what = [
    experiment,
    item,
    isMain ? kind : `${kind} ${field}`,
    dimension,
    sourceText(source),
  ];
  const values =
    change.after === null
      ? `${before} is gone`
      : change.before === null
        ? `now ${after}`
        : `${before} → ${after}`;
  const although = change.is_rating_changed ? "" : ", although no rating changed";
  return `${joinParts(what)}: published ${values}${although}`;
}

export const republishedLines = (published: readonly PublishedDiff[]): string[] => [
  ...new Set(published.map(republishedLine)),
];

const changedRows = (tables: readonly TableDiff[]): TableBlock =>
  tabled(tables, [
    column.plain("Table", ({ table }) => table),
    column.num("Added", ({ added }) => added),
    column.num("Removed", ({ removed }) => removed),
    column.num("Changed", ({ changed }) => changed),
  ]);

export function renderDiff(
  { before, after, tables, numbers, published }: SnapshotDiff,
  limit: number,
  width?: number,
): string {
  const rows = sumOf(tables.map(changesIn));
  const counts = [
    counted(published.length, "published number"),
    counted(rows, "row"),
    counted(numbers.length, "recomputed number"),
  ];
  const head = `${before} → ${after}: ${listed(counts)} differ.`;
  if (tables.length === 0) return head;
  const republished = firstLines(republishedLines(published), limit * 4);
  const examples = tables.map((one) => examplesOf(one, limit));
  return printed(
    [
      head,
      republished.length > 0 && ["", republished],
      ["", changedRows(tables), examples],
      numbers.length > 0 && ["", "Recomputed numbers:", "", movedNumbers(numbers, limit * 4)],
    ],
    width,
    "    ",
  );
}

export function renderMethodDiff(
  { snapshot, counted: changed, numbers }: MethodDiff,
  rule: string,
  limit: number,
  width?: number,
): string {
  const change = (before: number, after: number) =>
    before === after ? thousands(before) : `${thousands(before)} → ${thousands(after)}`;
  const isOne = numbers.length === 1;
  const differs = `${counted(numbers.length, "recomputed number")} ${isOne ? "differs" : "differ"}`;
  const table = tabled(changed, [
    column.plain("Experiment", ({ experiment_id }) => experiment_id),
    column.num("Ratings", (one) => change(one.ratings_before, one.ratings_after)),
    column.num("Raters", (one) => change(one.raters_before, one.raters_after)),
  ]);
  return printed(
    [
      `${snapshot}, ${rule}: ${differs}.`,
      changed.length === 0 ? "The same ratings count." : ["", "Ratings that count:", "", table],
      numbers.length > 0 && ["", "Recomputed numbers:", "", movedNumbers(numbers, limit * 4)],
    ],
    width,
    "    ",
  );
}

const changesIn = ({ added, removed, changed }: TableDiff): number => added + removed + changed;

function examplesOf(table: TableDiff, limit: number): Block {
  const lines = table.examples.slice(0, limit).map(({ state, key, columns }) => {
    const given = Object.entries(key).filter(([, value]) => value !== null && value !== "");
    const keys = given.map(([name, value]) => `${name}=${givenText(value)}`);
    const what = Object.entries(columns).map(
      ([name, one]) => `${name}: ${givenText(one.before)} → ${givenText(one.after)}`,
    );
    return `  ${state} ${keys.join(" ")}${what.length === 0 ? "" : `; ${what.join(", ")}`}`;
  });
  const more = changesIn(table) - lines.length;
  return ["", `${table.table}:`, lines, more > 0 && `  … and ${more} more`];
}

function movedNumbers(numbers: SnapshotDiff["numbers"], limit: number): Block {
  const first = firstOf(numbers, limit);
  const table = tabled(first.shown, [
    column.plain("Experiment", ({ experiment_id }) => experiment_id),
    column.plain("Metric", ({ kind, dimension, source }) =>
      joinParts([kind, dimension, source], " "),
    ),
    column.plain("Item", ({ item }) => item),
    column.num("Before", ({ before }) => shortNumber(before)),
    column.num("After", ({ after }) => shortNumber(after)),
    column.num("Rank", rankText),
  ]);
  return [table, first.note];
}
