import type { SnapshotSummary } from "../lake/index.js";
import { byteText } from "./export-line.js";
import { renderTable } from "./table.js";

/** Snapshots, oldest first, with their sizes and how much the removal of each alone would free. */
export function renderSnapshots(snapshots: readonly SnapshotSummary[]): string {
  const right = "right" as const;
  return renderTable(
    [
      { head: "snapshot" },
      { head: "created" },
      { head: "experiments", align: right },
      { head: "shortfalls", align: right },
      { head: "rows", align: right },
      ...["files", "bodies", "models", "own"].map((head) => ({ head, align: right })),
      { head: "" },
    ],
    snapshots.map(({ id, created_at, experiments, shortfalls, rows, is_current, ...size }) => [
      id,
      created_at,
      String(experiments),
      String(shortfalls.length),
      String(rows),
      ...[size.bytes, size.raw_bytes, size.models_bytes, size.own_bytes].map(byteText),
      is_current ? "current" : "",
    ]),
  );
}
