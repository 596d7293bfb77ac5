import type { SnapshotSummary } from "../lake/index.js";
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
