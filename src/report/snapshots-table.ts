import type { SnapshotDifference, SnapshotSummary } from "../lake/index.js";
import { byteText } from "./export-line.js";
import { renderTable } from "./table.js";

/** Snapshots, oldest first. */
export function renderSnapshots(snapshots: readonly SnapshotSummary[]): string {
  const right = "right" as const;
  return renderTable(
    [
      { head: "snapshot" },
      { head: "created" },
      { head: "experiments", align: right },
      { head: "shortfalls", align: right },
      { head: "rows", align: right },
      { head: "size", align: right },
      { head: "" },
    ],
    snapshots.map(({ id, created_at, experiments, shortfalls, rows, bytes, is_current }) => [
      id,
      created_at,
      String(experiments),
      String(shortfalls.length),
      String(rows),
      byteText(bytes),
      is_current ? "current" : "",
    ]),
  );
}

const count = (rows: number | null) => (rows === null ? "-" : String(rows));

/** What changed between two snapshots: parts by table and experiment, then what was deleted. */
export function renderDifference({ before, after, unchanged, changed, tombstones }: SnapshotDifference): string {
  const right = "right" as const;
  const table = renderTable(
    [
      { head: "table" },
      { head: "experiment" },
      { head: "rows before", align: right },
      { head: "rows after", align: right },
    ],
    changed.map(({ table: name, experiment_id, rows_before, rows_after }) => [
      name,
      experiment_id ?? "",
      count(rows_before),
      count(rows_after),
    ]),
  );
  const deleted = tombstones.map(({ table: name, experiment_id, ids }) => {
    const of = experiment_id === null ? "" : ` of ${experiment_id}`;
    const more = ids.length > 10 ? ` … and ${ids.length - 10} more` : "";
    return `Deleted from ${name}${of}: ${ids.slice(0, 10).join(", ")}${more}`;
  });
  const head = `${before} → ${after}: ${changed.length} parts differ, ${unchanged} are the same.`;
  return [head, ...(changed.length > 0 ? ["", table] : []), ...(deleted.length > 0 ? ["", ...deleted] : [])].join("\n");
}
